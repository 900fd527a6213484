import process from 'node:process'
import type { Json } from '../core/json.js'
import type { FlagDescription } from '../schema/flags.js'
import { readIntegerText, readMoneyText, readNumberText } from './values.js'

/** Asks whoever sits at the terminal; on stderr, as stdout is data. */
export interface Prompts {
  value(description: FlagDescription): Promise<Json>
  confirm(message: string): Promise<boolean>
}

/** Prompts when stdin and stderr are a terminal and `CI` is unset; nothing else is ever asked. */
export function promptsFor(noInput: boolean): Prompts | undefined {
  const interactive = process.stdin.isTTY && process.stderr.isTTY && !process.env.CI && !noInput
  return interactive ? terminalPrompts : undefined
}

const terminalPrompts: Prompts = {
  async value(description) {
    const message = `${(description.path.at(-1) ?? description.name).replaceAll('_', ' ')}:`
    const prompt = await openPrompt()
    switch (description.kind) {
      case 'choice':
        return (await prompt({ type: 'select', name: 'value', message, choices: description.choices })).value
      case 'boolean':
        return (await prompt({ type: 'confirm', name: 'value', message })).value
      case 'secret':
        return (await prompt({ type: 'password', name: 'value', message, mask: '*', validate: isGiven }))
          .value
      default:
        return readText(
          description,
          (await prompt({ type: 'input', name: 'value', message, validate: valid(description) })).value,
        )
    }
  },
  async confirm(message) {
    const prompt = await openPrompt()
    return (await prompt({ type: 'confirm', name: 'value', message, default: false })).value
  },
}

async function openPrompt() {
  const { default: inquirer } = await import('inquirer')
  return inquirer.createPromptModule({ output: process.stderr })
}

function isGiven(text: string): true | string {
  return text.trim() === '' ? 'Required' : true
}

function valid(description: FlagDescription) {
  return (text: string): true | string => {
    if (text.trim() === '') return 'Required'
    try {
      readText(description, text)
      return true
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

function readText({ kind }: FlagDescription, text: string): Json {
  switch (kind) {
    case 'money':
      return readMoneyText(text)
    case 'number':
      return readNumberText(text)
    case 'integer':
      return readIntegerText(text)
    default:
      return text
  }
}
