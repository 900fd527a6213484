/**
 * `npm run words`: checks names in `src`, and the language of comments, declarations and titles of tests. Fails if the
 * name of a file or a declaration contains a replaced word, or if two files export the same name. Also fails if a
 * passage breaks a rule of `words/prose.mjs`.
 *
 * `npm run words -- src/http` checks one folder, or with `--sample` draws from it.
 *
 * `npm run words -- --sample 140 --seed 7` prints random comments, titles and sentences of the documentation, to be
 * judged by readers. Lines with a bar show where a passage stands.
 */
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { namesToChange } from './words/names.mjs'
import { pagesOf, passagesOf, problemsOf } from './words/prose.mjs'
import { drawn } from './words/sample.mjs'

const root = process.cwd()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
})

const folders = positionals.map((folder) => resolve(root, folder))
const isChosen = ({ file }) =>
  folders.length === 0 || folders.some((folder) => resolve(root, file).startsWith(folder))
if (values.sample === undefined) check()
else
  show(
    drawn(
      [...passagesOf(root), ...pagesOf(root)].filter(isChosen),
      Number(values.sample),
      Number(values.seed),
    ),
  )

function check() {
  const problems = [...namesToChange(root), ...prose()].filter(isChosen)
  problems.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  for (const { file, line, message } of problems) process.stdout.write(`${file}:${line}  ${message}\n`)
  if (problems.length === 0) return
  process.stdout.write(`${problems.length} names and passages to change\n`)
  process.exitCode = 1
}

function* prose() {
  for (const passage of passagesOf(root))
    for (const problem of problemsOf(passage))
      yield { ...passage, message: `${problem}: ${passage.text.slice(0, 90)}` }
}

function show(passages) {
  passages.forEach(({ kind, file, line, text, beside }, index) => {
    const around = beside.map((each) => `   | ${each}\n`).join('')
    process.stdout.write(`${index + 1}. ${kind} (${file}:${line})\n   ${text}\n${around}\n`)
  })
}
