import type { JsonObject } from '../../../schema/json.js'
import { isObject } from '../input/body.js'
import { listText } from './list-text.js'
import { renderJson } from './render-json.js'
import type { Rendering } from './rendering.js'

/**
 * An answer in the requested format, with a line feed at the end. As a table, a single object is shown as details, and
 * an empty list as an empty text. With `jq`, the result of the expression.
 */
export async function render(body: JsonObject, rendering: Rendering): Promise<string> {
  const { format, look, jq } = rendering
  if (jq !== undefined) {
    const { filteredObject } = await import('./jq.js')
    return await filteredObject(jq, body, look)
  }
  if (format === 'json') return `${renderJson(body, look)}\n`
  const values = valuesOf(body)
  if (!values && format === 'table') {
    const { renderDetails } = await import('./details.js')
    const text = renderDetails(body, rendering)
    return text === '' ? '' : `${text}\n`
  }
  const list = await listText(rendering)
  return list.page(values ?? [body]) + list.end()
}

/** Objects of a list; undefined for a single object. */
export function valuesOf({ object, values }: JsonObject): readonly JsonObject[] | undefined {
  return object === 'list' && Array.isArray(values) ? values.filter(isObject) : undefined
}
