import type { JsonObject } from '../../../schema/json.js'
import { isObject } from '../input/body.js'
import { listText } from './list-text.js'
import { renderJson } from './render-json.js'
import type { Rendering } from './rendering.js'

/**
 * An answer in the requested format, with a line feed at the end; as a table, a single object is shown as details. An empty
 * table is an empty string. With `jq`, what that makes of the answer.
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

/** The objects of a list; undefined for a single object. */
export function valuesOf({ object, values }: JsonObject): readonly JsonObject[] | undefined {
  return object === 'list' && Array.isArray(values) ? values.filter(isObject) : undefined
}
