/** Shows commands as typed, in lines that fit the terminal, and their output as it arrives. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { cloneNode } from './clone-node.mjs'
import { QuickstartError } from './quickstart-error.mjs'

const { stdout, env } = process
const hasColour = stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'
const painted = (code, text) => (hasColour ? `\x1b[${code}m${text}\x1b[0m` : text)

const width = () => Math.min(stdout.columns || 80, 120)

/** Prints the heading of a step: its title, and in a line or two the reason for it. */
export function heading(title, why = '') {
  const lines = why === '' ? [] : filled(why.split(' '), { indent: '', end: '' })
  const text = [painted('1', `# ${title}`), ...lines.map((line) => painted('2', line))].join('\n')
  stdout.write(`\n${text}\n`)
}

/** Prints a command line, wrapped between flags. */
export function typed(words) {
  const [first = '', ...more] = filled(grouped(words.map(quoted)), { indent: '    ', end: ' \\' })
  stdout.write(`\n${painted('36', [`$ ${first}`, ...more].join('\n'))}\n`)
}

/** Prints and runs a command, and returns its output. `$KEY` in an argument is replaced by the variable `KEY`. */
export async function shown(command, ...args) {
  typed([command, ...args])
  const given = args.map((arg) => arg.replace('$KEY', env.KEY))
  const [program, all] = command === 'payctl' ? [cloneNode(), ['bin/run.js', ...given]] : [command, given]
  const child = spawn(program, all, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, ...(hasColour && { FORCE_COLOR: '1' }) },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    stdout.write(text)
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (output !== '' && !output.endsWith('\n')) stdout.write('\n')
  if (code !== 0) throw new QuickstartError(`The command above ended with ${code}.`)
  return output
}

/** The first id or key with a prefix in the output of a command. Throws `QuickstartError` if there is none. */
export function idIn(output, prefix) {
  const id = new RegExp(`${prefix}[\\w-]{22,}`).exec(output)?.[0]
  if (!id) throw new QuickstartError(`No ${prefix}… in the output above.`)
  return id
}

/** Joins words into lines that fit the terminal. All lines but the last get `end`, all but the first `indent`. */
function filled(words, { indent, end }) {
  const lines = []
  let line = ''
  for (const word of words) {
    if (line === '') line = word
    else if (line.length + 1 + word.length <= width() - end.length - 2) line += ` ${word}`
    else {
      lines.push(line + end)
      line = indent + word
    }
  }
  return [...lines, line]
}

/** Groups of words that must stay in one line: the name of a command, and each flag with its value. */
function grouped(words) {
  const firstFlag = words.findIndex((word) => word.startsWith('-'))
  const name = words.slice(0, firstFlag === -1 ? words.length : firstFlag)
  const groups = [name.join(' ')]
  for (const word of words.slice(name.length)) {
    if (word.startsWith('-') || !groups.at(-1)?.startsWith('-') || groups.at(-1)?.includes(' '))
      groups.push(word)
    else groups.push(`${groups.pop()} ${word}`)
  }
  return groups
}

/** A word, quoted for a shell if necessary. */
function quoted(word) {
  if (/^([\w@%+=:,./-]+|&)$/.test(word)) return word
  return word.includes('$') ? `"${word}"` : `'${word}'`
}
