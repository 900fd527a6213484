import process from 'node:process'
import type { Choices } from '../command/global-flags.js'
import { NotConfirmed } from '../failure/failure.js'
import { paint } from '../output/colour.js'
import { lookOf } from '../output/look.js'
import type { Prompts } from '../prompts/prompts.js'
import type { Fact, WizardPlan } from './wizard-questions.js'

/**
 * Shows a plan and asks for confirmation. Returns `changed` if the operator chose an answer to change; the wizard then
 * prompts for it again. Movements of money in the live environment are confirmed when the request is sent; a dry run
 * needs no confirmation.
 */
export async function confirmPlan(
  { facts, lines = [], question, moves }: WizardPlan,
  choices: Choices,
  prompts: Prompts,
): Promise<'confirmed' | 'changed'> {
  const { colour } = lookOf(process.stderr, process.env)
  const known = facts.filter(([, text]) => text !== '')
  const longest = Math.max(0, ...known.map(([name]) => name.length))
  talk('')
  for (const [name, text] of known) talk(`  ${paint(name.padEnd(longest), 'dim', colour)}  ${text}`)
  for (const line of lines) talk(`  ${line}`)
  talk('')
  if (choices['dry-run'] || choices.yes || (moves && choices.env === 'live')) return 'confirmed'
  const open = facts.filter(([, , forget]) => forget !== undefined)
  const decision =
    open.length > 0
      ? await prompts.proceed(question, !moves)
      : (await prompts.confirm(question, !moves)) && 'yes'
  if (decision === 'yes') return 'confirmed'
  if (decision !== 'change') throw new NotConfirmed('Not confirmed; nothing was sent.')
  await forgetOne(open, prompts)
  return 'changed'
}

/** Lets the operator choose an answer to change, and forgets it. */
async function forgetOne(facts: readonly Fact[], prompts: Prompts): Promise<void> {
  const forget = await prompts.choose(
    'which answer',
    facts.map(([name, text, value]) => ({
      name: text === '' ? name : `${name}: ${text}`,
      value,
      short: name,
    })),
  )
  forget?.()
}

/** Prints a line on stderr, beside the prompts, in every output format. */
export function talk(text: string): void {
  process.stderr.write(`${text}\n`)
}
