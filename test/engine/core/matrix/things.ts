import type { Core } from '../../../../src/engine/core/core.js'
import { owner } from '../../../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { idOf } from '../../../support/core.js'
import { type FilteredKind, isFilteredKind, samples } from './kinds.js'
import { thing } from './thing.js'

/** A thing in the form it was sent, with the targets of its relations. */
export interface Thing {
  readonly id: string
  readonly attributes: JsonObject
  readonly next: Thing | undefined
  readonly parent: Thing | undefined
}

const COUNT = 24

/**
 * Makes things whose attributes use their values in turn, with another offset for each attribute and depth.
 */
export async function makeThings(core: Core): Promise<Thing[]> {
  const things: Thing[] = []
  for (let number = 0; number < COUNT; number++) {
    const next = number % 3 > 0 ? things[number - 1] : undefined
    const parent = number % 5 > 0 ? things[Math.floor(number / 3)] : undefined
    const attributes = attributesOf(number, things)
    const body = { ...attributes, next_id: next?.id ?? null, parent_id: parent?.id ?? null }
    const response = await core.handle({ method: 'POST', path: '/things', body, principal: owner })
    if (response.status !== 200) throw new Error(JSON.stringify(response.body))
    things.push({ id: idOf(response.body), attributes, next, parent })
  }
  return things
}

/** A sample with `$3` replaced by the id of the fourth thing; null if that does not exist yet. */
export function withIds(sample: Json, things: readonly Thing[]): Json {
  if (typeof sample !== 'string' || !/^\$\d+$/.test(sample)) return sample
  return things[Number(sample.slice(1))]?.id ?? null
}

function attributesOf(number: number, things: readonly Thing[]): JsonObject {
  const { list, within } = thing.fields
  const values = (fields: object, step: number): JsonObject =>
    Object.fromEntries(
      Object.keys(fields)
        .filter(isFilteredKind)
        .map((kind) => [kind, valueAt(kind, step, things)]),
    )
  const turn = number + Math.floor(number / 4)
  const items = Array.from({ length: number % 4 }, (_, index) => values(list.fields, turn + 3 * index))
  return {
    ...values(thing.fields, number),
    within: {
      ...values(within.fields, number + 1),
      deeper: number % 5 === 4 ? null : values(within.fields, number + 2),
    },
    list: number % 7 === 6 ? null : items,
    attrs: attrsOf(number),
  }
}

function valueAt(kind: FilteredKind, step: number, things: readonly Thing[]): Json {
  const { values } = samples[kind]
  return withIds(values[step % values.length] ?? null, things)
}

/** JSON without declared kinds: numbers, strings and other values are found by their own type. */
function attrsOf(number: number): Json {
  const value = [5, '5', 10, 'Ada', true, null, -1.5, '10', { b: 1 }][number % 9] ?? null
  const list = [value, { plain: number % 3 }]
  return number % 8 === 7 ? null : { plain: value, deep: { plain: value }, list }
}
