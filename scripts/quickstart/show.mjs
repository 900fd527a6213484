/** Runs a command, shows it and its output as a terminal would, and answers what it printed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

export function heading(text) {
  process.stdout.write(`\n# ${text}\n`)
}

/** A command whose output goes straight through. */
export async function passed(command, args) {
  process.stdout.write(`\n$ ${written(command, args)}\n`)
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'close')
  if (code !== 0) fail(command, args, code)
}

/** A command whose output is shown and answered. `$KEY` in an argument stands for the variable. */
export async function shown(command, args) {
  process.stdout.write(`\n$ ${written(command, args)}\n`)
  const given = args.map((arg) => arg.replace('$KEY', process.env.KEY))
  const [program, all] =
    command === 'payctl' ? [process.execPath, ['bin/run.js', ...given]] : [command, given]
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    process.stdout.write(text)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) fail(command, args, code)
  return output
}

export const payctl = (...args) => shown('payctl', args)

/** The first id or key with a prefix in what a command printed. */
export function idIn(output, prefix) {
  const id = new RegExp(`${prefix}[\\w-]{22,}`).exec(output)?.[0]
  if (!id) throw new Error(`No ${prefix}… in the output above`)
  return id
}

function fail(command, args, code) {
  throw new Error(`${written(command, args)} ended with ${code}`)
}

/** The command as a shell would take it. */
function written(command, args) {
  const quoted = args.map((arg) => {
    if (/^[\w@%+=:,./-]+$/.test(arg)) return arg
    return arg.includes('$') ? `"${arg}"` : `'${arg}'`
  })
  return [command, ...quoted].join(' ')
}
