import type { Vault } from '../../engine/store/vault/vault.js'
import { resources } from '../../resources/resource-table.js'
import type { BatchKind } from '../../schema/batch-kind.js'
import { type FlagDescription, flagsOf } from '../../schema/flag-description.js'
import type { Json } from '../../schema/json.js'
import { formatMoney, parseMoney } from '../../schema/money.js'
import { registryOf } from '../../schema/registry.js'
import { isTree } from '../../schema/types.js'
import { maskDigits } from '../../schema/wire.js'
import type { Outcome } from './row-record.js'

/** An attribute of a stored row: readable, or masked with a keyed digest of its value. */
type KeptValue = string | { readonly mask: string; readonly digest: string }

/**
 * Version of a row: its values when it was executed, by the paths of their attributes. Stored in batches with a key.
 */
type RowVersion = Readonly<Record<string, KeptValue>>

/** A row whose version is stored. */
interface KeptRow {
  readonly id: string
  readonly body: Json
}

/** Maximum length of a text that is stored readable. */
const LONGEST = 100

/**
 * Text of a row that is stored beside its outcome: JSON that is equal for equal rows. Card and account numbers,
 * undeclared attributes and long texts are stored as keyed digests that match this row only. Values that are used
 * once, such as a CVV, are not stored.
 */
export function versionOf(kind: BatchKind, { id, body }: KeptRow, vault: Vault): string {
  const known = attributesOf(kind)
  const digestOf = (path: string, value: string) => vault.hash(`${id}\0${path}\0${value}`, 'batch_cell')
  const entries = leavesOf(body, []).flatMap(([path, value]): [string, KeptValue][] => {
    const name = path.join('.')
    const attribute = known.get(name) ?? known.get(path[0] ?? '')
    const isOwn = attribute?.path.join('.') === name
    if (usedOnce().has(path.at(-1) ?? '')) return []
    const isReadable = attribute && (attribute.kind === 'json' || (isOwn && attribute.kind !== 'secret'))
    const text = textOf(value, attribute)
    if (isReadable && text.length <= LONGEST) return [[name, text]]
    return [[name, { mask: maskOf(text, attribute), digest: digestOf(name, text) }]]
  })
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/**
 * Text with both versions of a row that was edited after its outcome: `amount: 31.50 when it was done, 32.50 now`.
 */
export function editedText(status: Outcome['status'], before: string | null, now: string | null): string {
  const then = WHEN[status]
  if (before === null) return `It could not be read ${then}`
  if (now === null) return `It cannot be read now, and was read ${then}`
  const old = readVersion(before)
  const edited = readVersion(now)
  const paths = [...new Set([...Object.keys(old), ...Object.keys(edited)])].sort()
  return paths
    .filter((path) => JSON.stringify(old[path]) !== JSON.stringify(edited[path]))
    .map((path) => {
      const was = shown(old[path])
      const is = shown(edited[path])
      return `${path}: ${was} ${then}, ${was === is ? `another ${is}` : is} now`
    })
    .join('; ')
}

const WHEN = {
  done: 'when it was done',
  declined: 'when it was declined',
  failed: 'when it failed',
  waiting: 'when it was sent',
} as const satisfies Record<Outcome['status'], string>

function shown(value: KeptValue | undefined): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : value.mask
}

function readVersion(text: string): RowVersion {
  return JSON.parse(text)
}

const registry = registryOf(resources)
const attributes = new Map<BatchKind, ReadonlyMap<string, FlagDescription>>()

/** The attributes that a row of a kind may have, by their paths. */
function attributesOf(kind: BatchKind): ReadonlyMap<string, FlagDescription> {
  const known = attributes.get(kind)
  if (known) return known
  const found = new Map(
    flagsOf(registry, kind.resource, kind.about === 'update' ? 'update' : 'create').map((attribute) => [
      attribute.path.join('.'),
      attribute,
    ]),
  )
  const named = kind.about === 'update' ? 'id' : 'payment'
  if (kind.about) found.set(named, idColumn(named))
  attributes.set(kind, found)
  return found
}

function idColumn(name: string): FlagDescription {
  return { name, path: [name], kind: 'text', choices: [], required: true, doc: '' }
}

/** The names of attributes that are used once and never stored, not even as a digest. */
function usedOnce(): ReadonlySet<string> {
  usedOnceNames ??= new Set(
    registry.all
      .flatMap((resource) => flagsOf(registry, resource, 'create'))
      .filter(({ kind, field }) => kind === 'secret' && field?.transient)
      .map(({ path }) => path.at(-1) ?? ''),
  )
  return usedOnceNames
}
let usedOnceNames: ReadonlySet<string> | undefined

function leavesOf(value: Json, path: readonly string[]): [path: readonly string[], value: Json][] {
  if (!isTree(value)) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

/** Text of a value. An amount has only one form, so that `5` and `5.00` are equal. */
function textOf(value: Json, attribute: FlagDescription | undefined): string {
  const minor =
    attribute?.kind === 'money' && (typeof value === 'number' || typeof value === 'string')
      ? parseMoney(value)
      : undefined
  if (minor !== undefined) return formatMoney(minor)
  if (typeof value === 'string') return value
  return JSON.stringify(value, (name, inner: unknown) => (usedOnce().has(name) ? undefined : inner))
}

function maskOf(text: string, attribute: FlagDescription | undefined): string {
  if (attribute?.kind === 'secret') return maskDigits(text.replace(/\D/g, ''))
  return attribute?.kind === 'text' ? `${text.slice(0, LONGEST)}…` : 'value'
}
