import type { JsonObject } from '../../../schema/json.js'
import type { Look } from './look.js'

/** The answer as HTTP would send it; indented on a terminal. */
export function renderJson(body: JsonObject, { width }: Look): string {
  return width === undefined ? JSON.stringify(body) : JSON.stringify(body, null, 2)
}

/** Formats a list object of the API page by page. */
export function jsonList({ width }: Look) {
  const isPretty = width !== undefined
  const [before, between] = isPretty ? ['\n    ', ',\n    '] : ['', ',']
  const textOf = (value: JsonObject) =>
    isPretty ? JSON.stringify(value, null, 2).replaceAll('\n', '\n    ') : JSON.stringify(value)
  let any = false
  return {
    start: isPretty ? '{\n  "object": "list",\n  "values": [' : '{"object":"list","values":[',
    page(values: readonly JsonObject[]): string {
      if (values.length === 0) return ''
      const text = (any ? between : before) + values.map(textOf).join(between)
      any = true
      return text
    },
    end(): string {
      if (!isPretty) return ']}\n'
      return any ? '\n  ]\n}\n' : ']\n}\n'
    },
  }
}
