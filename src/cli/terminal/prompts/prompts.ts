import process from 'node:process'
import { systemClock } from '../../../platform/clock.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json } from '../../../schema/json.js'
import { readText } from '../input/typed-values.js'
import { lookOf } from '../output/look.js'
import { labelOf } from './label.js'
import type { Judging } from './typing.js'

/** An option to choose. */
export interface Choice<T> {
  readonly name: string
  readonly value: T
  /** Reason why the option cannot be chosen. */
  readonly disabled?: string
  /** Text that remains on the screen after the choice; by default the name. */
  readonly short?: string
}

/** Options of a prompt for an attribute. */
export interface Manner extends Partial<Judging> {
  /** Text of the prompt; by default the attribute's name. */
  readonly message?: string
  /** Names of the choices by value; by default the value in words. */
  readonly names?: Readonly<Record<string, string>>
  /** Words in the prompt for what Enter alone means for an optional attribute; `none` by default. */
  readonly none?: string
  /** Value for Enter alone. */
  readonly otherwise?: string
  /** Reason why a value is refused, in addition to its declaration; undefined if it is accepted. */
  readonly refuse?: (value: Json) => string | undefined
}

/** Decision about a plan: send it, stop, or change an answer. */
export type Proceeding = 'yes' | 'no' | 'change'

/** Prompts on the terminal. They use stderr, because stdout is for data. */
export interface Prompts {
  value(description: FlagDescription, manner?: Manner): Promise<Json>
  confirm(message: string, byDefault?: boolean): Promise<boolean>
  /** Prompts whether to proceed, or to change an answer. */
  proceed(message: string, byDefault: boolean): Promise<Proceeding>
  choose<T>(message: string, choices: readonly Choice<T>[]): Promise<T>
  /** Prompts for one option of a list, which is searched while the operator types. */
  search<T>(message: string, find: (term: string) => Promise<readonly Choice<T>[]>): Promise<T>
}

/** Prompts, if stdin and stderr are a terminal and `CI` is unset; otherwise undefined. */
export function promptsFor(noInput: boolean): Prompts | undefined {
  const interactive = !noInput && !process.env.CI && process.stderr.isTTY && process.stdin.isTTY
  return interactive ? terminalPrompts : undefined
}

/** Prompts that call `say` before each prompt; `say` must ignore repeated calls. */
export function after(say: () => void, prompts: Prompts): Prompts {
  return {
    async value(description, manner) {
      say()
      return await prompts.value(description, manner)
    },
    async confirm(message, byDefault) {
      say()
      return await prompts.confirm(message, byDefault)
    },
    async proceed(message, byDefault) {
      say()
      return await prompts.proceed(message, byDefault)
    },
    async choose(message, choices) {
      say()
      return await prompts.choose(message, choices)
    },
    async search(message, find) {
      say()
      return await prompts.search(message, find)
    },
  }
}

/** Milliseconds without typing before a search begins. */
const REST = 120

/** Lines of a list that are shown at once. */
const LINES = 10

const terminalPrompts: Prompts = {
  async value(description, manner = {}) {
    const isTyped = description.kind !== 'choice' && description.kind !== 'boolean'
    const message = manner.message ?? `${labelOf(description)}${isTyped ? ':' : ''}`
    const prompt = await openPrompt()
    switch (description.kind) {
      case 'choice': {
        const none = manner.optional ? [{ name: 'none', value: '' }] : []
        const named = (value: string) => manner.names?.[value] ?? value.replaceAll('_', ' ').toLowerCase()
        const choices = [...none, ...description.choices.map((value) => ({ name: named(value), value }))]
        return (await prompt({ type: 'select', name: 'value', message, choices, pageSize: LINES })).value
      }
      case 'boolean':
        return (await prompt({ type: 'confirm', name: 'value', message })).value
      default: {
        const typed = await typedText(description, message, manner)
        return typed.trim() === '' ? '' : readText(description.kind, typed)
      }
    }
  },
  async confirm(message, byDefault = false) {
    const prompt = await openPrompt()
    return (await prompt({ type: 'confirm', name: 'value', message, default: byDefault })).value
  },
  async proceed(message, byDefault) {
    const prompt = await openPrompt()
    const decided = (typed: string) => proceedingOf(typed, byDefault)
    const { value } = await prompt({
      type: 'input',
      name: 'value',
      message,
      validate: (typed: string) => decided(typed) !== undefined || 'Type y, n or c',
      transformer: (typed: string, { isFinal }: { isFinal: boolean }) =>
        isFinal
          ? PROCEEDINGS[decided(typed) ?? 'no']
          : typed || `(${byDefault ? 'Y/n' : 'y/N'}, c to change an answer)`,
    })
    return decided(value) ?? 'no'
  },
  async choose(message, choices) {
    const prompt = await openPrompt()
    const named = choices.map((choice, value) => ({ ...choice, value }))
    const { value } = await prompt({
      type: 'select',
      name: 'value',
      message,
      choices: named,
      pageSize: LINES,
    })
    return chosen(choices, Number(value))
  },
  async search(message, find) {
    const { setTimeout: rest } = await import('node:timers/promises')
    const prompt = await openPrompt()
    let found: Awaited<ReturnType<typeof find>> = []
    const { value } = await prompt({
      type: 'search',
      name: 'value',
      message,
      pageSize: LINES,
      async source(term, { signal }) {
        if (term !== undefined) await rest(REST, undefined, { signal })
        const answer = await find(term?.trim() ?? '')
        if (!signal.aborted) found = answer
        return answer.map((choice, index) => ({ ...choice, value: index }))
      },
    })
    return chosen(found, Number(value))
  },
}

const PROCEEDINGS: Readonly<Record<Proceeding, string>> = { yes: 'Yes', no: 'No', change: 'Change an answer' }

function proceedingOf(typed: string, byDefault: boolean): Proceeding | undefined {
  const word = typed.trim().toLowerCase()
  if (word === '') return byDefault ? 'yes' : 'no'
  return (['yes', 'no', 'change'] as const).find((proceeding) => proceeding.startsWith(word))
}

async function typedText(description: FlagDescription, message: string, manner: Manner): Promise<string> {
  const { problemOf, shownWhileTyped } = await import('./typing.js')
  const prompt = await openPrompt()
  const judging = { now: systemClock.now(), optional: false, ...manner }
  const validate = (typed: string): true | string =>
    problemOf(description, typed, judging) ?? refusal(description, typed, manner) ?? true
  const { colour } = lookOf(process.stderr, process.env)
  const transformer = shownWhileTyped(description, { now: judging.now, colour })
  const question = { name: 'value', message, validate }
  if (description.kind === 'secret' && !transformer)
    return (await prompt({ ...question, type: 'password', mask: '*', toggleMask: false })).value
  const { value } = await prompt({
    ...question,
    type: 'input',
    ...(transformer && { transformer }),
    ...(manner.otherwise !== undefined && { default: manner.otherwise }),
  })
  return value
}

function refusal({ kind }: FlagDescription, typed: string, { refuse }: Manner): string | undefined {
  return typed.trim() === '' ? undefined : refuse?.(readText(kind, typed))
}

async function openPrompt() {
  const { default: inquirer } = await import('inquirer')
  return inquirer.createPromptModule({ output: process.stderr })
}

function chosen<T>(choices: readonly Choice<T>[], index: number): T {
  const choice = choices[index]
  if (!choice) throw new Error(`There is no choice ${index}`)
  return choice.value
}
