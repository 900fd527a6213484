import { boolean, custom, string } from '@oclif/core/flags'
import type { FlagInput } from '@oclif/core/interfaces'
import { systemClock } from '../../../platform/clock.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import {
  readDateText,
  readDurationText,
  readIntegerText,
  readMoneyText,
  readNumberText,
} from '../input/typed-values.js'
import { flagSummary } from '../prompts/label.js'

/** Flags of described attributes. oclif requires none of them: missing attributes are prompted for. */
export function flagsFor(descriptions: readonly FlagDescription[]): FlagInput {
  return Object.fromEntries(descriptions.map((description) => [description.name, flagFor(description)]))
}

function flagFor(description: FlagDescription) {
  const summary = flagSummary(description)
  switch (description.kind) {
    case 'text':
      return string({ summary, helpValue: '<text>' })
    case 'secret':
      return string({ summary: `${summary}; - reads a line of standard input`, helpValue: '-' })
    case 'choice':
      return string({ summary, options: [...description.choices] })
    case 'boolean':
      return boolean({ summary, allowNo: true })
    case 'money':
      return moneyFlag({ summary })
    case 'number':
      return custom<number>({ parse: async (text) => readNumberText(text) })({
        summary,
        helpValue: '<number>',
      })
    case 'integer':
      return custom<number>({ parse: async (text) => readIntegerText(text) })({
        summary,
        helpValue: '<number>',
      })
    case 'date':
    case 'datetime':
      return string({ summary, helpValue: '<date>' })
    case 'json':
      return string({ summary, helpValue: '<json>' })
    case 'file':
      return string({ summary, helpValue: '<file>' })
  }
}

/** Flag for an amount: `12.5`, `12.50`, `1,250.00`. */
export const moneyFlag = custom<number>({ parse: async (text) => readMoneyText(text), helpValue: '<amount>' })

/** Flag for a duration in seconds: `90s`, `30m`, `12h`, `7d` or `2w`. */
export const durationFlag = custom<number>({
  parse: async (text) => readDurationText(text),
  helpValue: '<duration>',
})

/**
 * Flag for a date: ISO, `now`, `today`, `yesterday 17:00`, `3h`, `2d` or `2w` (ago). Relative dates are computed from
 * real time, so this flag is for dates that the environment's clock does not affect.
 */
export const dateFlag = custom<string>({
  parse: async (text) => readDateText(text, systemClock.now()),
  helpValue: '<date>',
})
