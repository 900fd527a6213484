import type { Json, JsonObject } from '../../core/json.js'
import { isObject } from '../body.js'
import type { Shape } from '../shape.js'
import { cellOf } from './cell.js'
import { paint } from './colour.js'
import type { Look } from './look.js'

/** One object as aligned lines, nested objects as indented blocks. Attributes that are nothing are left out. */
export function renderDetails(body: JsonObject, shape: Shape, look: Look): string {
  return linesOf(body, { shape, look, path: [] }).join('\n')
}

interface Place {
  readonly shape: Shape
  readonly look: Look
  readonly path: readonly string[]
}

function linesOf(object: JsonObject, place: Place): string[] {
  const shown = Object.entries(object).filter(([name, value]) => isShown(name, value))
  const longest = Math.max(
    0,
    ...shown.filter(([, value]) => !isBlock(value)).map(([name]) => label(name, place).length),
  )
  return shown.flatMap(([name, value]) => {
    const inner = { ...place, path: [...place.path, name] }
    if (Array.isArray(value) && isBlock(value))
      return [heading(name, place), ...indented(listLines(value, inner))]
    if (isObject(value)) return [heading(name, place), ...indented(linesOf(value, inner))]
    const { text, colour } = cellOf(value, place.shape.field(inner.path))
    const gap = ' '.repeat(longest - label(name, place).length + 2)
    return [
      `${paint(label(name, place), 'dim', place.look.colour)}${gap}${paint(text, colour, place.look.colour)}`,
    ]
  })
}

/** Each object of a list stands under a dash. */
function listLines(values: readonly Json[], place: Place): string[] {
  return values.flatMap((value) => {
    const lines = isObject(value) ? linesOf(value, place) : [cellOf(value, undefined).text]
    return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`)
  })
}

/** Datetimes say their zone. */
function label(name: string, { shape, path }: Place): string {
  return shape.field([...path, name])?.kind === 'datetime' ? `${name} (UTC)` : name
}

function heading(name: string, { look }: Place): string {
  return paint(name, 'bold', look.colour)
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function isShown(name: string, value: Json): boolean {
  if (name === 'object' || value === null) return false
  return !isObject(value) || Object.entries(value).some(([inner, nested]) => isShown(inner, nested))
}

function isBlock(value: Json): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(isObject))
}
