import process from 'node:process'
import type { JsonObject } from '../../../schema/json.js'
import type { AnswerSchema } from '../input/shape.js'
import { cleanOutput, cleanText } from '../output/clean.js'
import { listText } from '../output/list-text.js'
import { type Choices, formatOf, requestedOf } from './global-flags.js'

/**
 * Returns a function that formats each object of an endless stream: by `lineOf` for people, otherwise as
 * NDJSON or CSV.
 */
export async function endlessText(
  choices: Choices,
  shape: AnswerSchema,
  lineOf: (value: JsonObject) => string,
): Promise<(value: JsonObject) => string> {
  const format = formatOf(choices)
  if (format === 'table') return (value) => `${cleanText(lineOf(value))}\n`
  const text = await listText({
    format: format === 'json' ? 'ndjson' : format,
    shape,
    look: { colour: false },
    requested: requestedOf(choices),
    jq: choices.jq,
  })
  if (!process.stdout.isTTY) return (value) => text.page([value])
  return (value) => cleanOutput(text.page([value]), choices.jq === undefined ? format : 'csv')
}
