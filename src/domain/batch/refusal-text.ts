import type { ApiError } from '../../engine/core/request/errors.js'
import type { BatchKind } from '../../resources/batch-kinds.js'
import type { Json } from '../../schema/json.js'
import { maskDigits } from '../../schema/wire.js'
import { rowAttribute } from './row-request.js'

const LONGEST = 1_000

/** Why a row was refused, in one line: each attribute that is wrong, and how. */
export function refusalText(kind: BatchKind, { type, description, details }: ApiError): string {
  if (type === 'NotFound' && kind.about) return 'payment: Not found'
  const lines = type === 'InvalidAttributes' ? attributeLines(kind, details, []) : []
  return errorText(lines.length > 0 ? lines.join('; ') : description)
}

/** A reason as it is kept: what may be a card or account number in it is masked. */
export function errorText(text: string): string {
  const masked = text.replace(/\d(?:[ -]?\d){7,}/g, (digits) => maskDigits(digits.replace(/[ -]/g, '')))
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked
}

function attributeLines(kind: BatchKind, details: Json, path: readonly string[]): string[] {
  if (details === null || typeof details !== 'object') return [`${rowAttribute(kind, path)}: ${details}`]
  return Object.entries(details).flatMap(([name, inner]) => attributeLines(kind, inner, [...path, name]))
}
