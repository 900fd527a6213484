import { expect } from 'chai'
import type { Core } from '../../../src/engine/core/core.js'
import type { Operator } from '../../../src/engine/core/query/alternatives.js'
import { owner as principal } from '../../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../../src/engine/core/request/request.js'
import type { Json } from '../../../src/schema/json.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { type FilteredKind, isFilteredKind, isSearched, samples } from './matrix/kinds.js'
import { openThings } from './matrix/open-things.js'
import { type Comparison, passes, passesInside, valuesAt } from './matrix/reference.js'
import { thing } from './matrix/thing.js'
import { makeThings, type Thing, withIds } from './matrix/things.js'

const OPERATORS = ['=', '!', '<', '<=', '>', '>=', '?*'] as const satisfies readonly Operator[]
const VALUED = OPERATORS.filter((operator) => operator !== '?*')
const KINDS = Object.keys(samples).filter(isFilteredKind)
const IN_GROUPS = Object.keys(thing.fields.within.fields).filter(isFilteredKind)
const IN_ITEMS = Object.keys(thing.fields.list.fields).filter(isFilteredKind)

/** Possible positions of an attribute, with the kinds of field there. */
const PLACES: readonly (readonly [name: string, path: string, kinds: readonly FilteredKind[]])[] = [
  ['an own attribute', '', KINDS],
  ['a group', 'within', IN_GROUPS],
  ['a group in a group', 'within[deeper]', IN_GROUPS],
  ['one', 'next', KINDS],
  ['a group in one', 'next[within]', IN_GROUPS],
  ['one in one', 'next[next]', KINDS],
  ['many', 'children[0]', KINDS],
  ['a group in many', 'children[within]', IN_GROUPS],
  ['one in many', 'children[next]', KINDS],
  ['many in one', 'next[children]', KINDS],
  ['many in many', 'children[children]', KINDS],
  ['plain items', 'list', IN_ITEMS],
  ['plain items in one', 'next[list][0]', IN_ITEMS],
  ['plain items in many', 'children[list][]', IN_ITEMS],
]

/** The attributes of each place, with their kinds. */
const CELLS = PLACES.map(
  ([place, prefix, kinds]) =>
    [place, kinds.map((kind) => ({ kind, name: nameOf(prefix, attributeOf(kind)) }))] as const,
)

const INSIDE_JSON = [
  'attrs[plain]',
  'attrs[deep][plain]',
  'attrs[list][0]',
  'attrs[list][1][plain]',
  'attrs[list][b]',
  'attrs[none]',
  'next[attrs][plain]',
  'children[attrs][deep][plain]',
  'json[a]',
  'within[json][1]',
]
const JSON_LITERALS = ['5', '10', '1e1', '-1.5', 'Ada', 'true', 'b', '{"b":1}', 'nobody', '2']

/** A query and its meaning. All conditions must hold; a condition holds if one of its comparisons does. */
interface Question {
  readonly written: readonly string[]
  readonly conditions: readonly (readonly Comparison[])[]
}

onDatabases((open) => {
  describe('a filter', () => {
    let core: Core
    let things: readonly Thing[]
    before(async () => {
      core = await openThings(open)
      things = await makeThings(core)
    })

    const ask = async (...query: QueryPair[]) =>
      await core.handle({ method: 'GET', path: '/things', query, principal })

    /**
     * The numbers of the things that a query finds. The query groups by id, which is faster than reading
     * objects with many columns.
     */
    const found = async (...query: QueryPair[]) => {
      const { status, body } = await ask(['group_by', 'id'], ['limit', '1000'], ...query)
      if (status !== 200) throw new Error(`${JSON.stringify(query)}: ${JSON.stringify(body)}`)
      const ids = valuesOf(body).map(idOf)
      return things.flatMap(({ id }, number) => (ids.includes(id) ? number : []))
    }
    const refused = async (name: string, value: string) => {
      const { status, body } = await ask([name, value])
      expect([name, value, status, body.error_description]).to.deep.equal([name, value, 400, described(name)])
    }
    /** The numbers of the things whose values under a name pass a test. */
    const having = (values: readonly Json[][], holds: (values: readonly Json[]) => boolean) =>
      values.flatMap((its, number) => (holds(its) ? number : []))
    const valuesOfAll = (name: string) => things.map((thing) => valuesAt(thing, partsOf(name), things))

    const expectAnswers = async (kind: FilteredKind, name: string, asked: readonly Question[]) => {
      const all = valuesOfAll(name)
      const answers = asked.map(async ({ written, conditions }) => {
        const isMet = (tests: readonly Comparison[]) => (values: readonly Json[]) =>
          values.some((value) => tests.some((test) => passes(kind, value, test)))
        const expected = having(all, (values) => conditions.every((tests) => isMet(tests)(values)))
        const query = written.map((value) => [name, value] as const)
        expect([written, await found(...query)]).to.deep.equal([written, expected])
        return expected.length
      })
      const counts = await Promise.all(answers)
      // A constant has the same value in every thing, so no filter separates them.
      if (kind !== 'constant')
        expect(counts.some((count) => count > 0 && count < things.length)).to.equal(true)
    }

    for (const [place, cells] of CELLS) {
      it(`matches by every operator for every kind of field in ${place}`, async () => {
        const cases = cells.flatMap(({ kind, name }) =>
          OPERATORS.filter((operator) => isAllowed(kind, operator)).map((operator) => ({
            kind,
            name,
            operator,
          })),
        )
        await eachCase(cases, nameOfCase, async ({ kind, name, operator }) => {
          await expectAnswers(kind, name, questions(kind, operator, placeOf(kind, name), things))
        })
      })

      it(`refuses operators that a kind of field does not support in ${place}`, async () => {
        const cases = cells.flatMap(({ kind, name }) =>
          OPERATORS.filter((operator) => !isAllowed(kind, operator)).map((operator) => ({
            kind,
            name,
            operator,
          })),
        )
        await eachCase(cases, nameOfCase, async ({ kind, name, operator }) => {
          await refused(name, written(operator, samples[kind].parts[0] ?? ''))
        })
      })

      it(`refuses invalid values for a kind of field in ${place}`, async () => {
        const cases = cells.flatMap(({ kind, name }) => {
          const { wrong } = samples[kind]
          return wrong === undefined ? [] : VALUED.map((operator) => ({ kind, name, operator, wrong }))
        })
        await eachCase(cases, nameOfCase, async ({ name, operator, wrong }) => {
          await refused(name, written(operator, wrong))
        })
      })
    }

    it('matches by every operator inside JSON', async () => {
      const cases = INSIDE_JSON.flatMap((name) =>
        OPERATORS.flatMap((operator) => JSON_LITERALS.map((literal) => ({ name, operator, literal }))),
      )
      await eachCase(cases, nameOfLiteral, async ({ name, operator, literal }) => {
        const expected = having(valuesOfAll(name), (values) =>
          values.some((value) => passesInside(value, operator, literal)),
        )
        const value = written(operator, literal)
        expect([value, await found([name, value])]).to.deep.equal([value, expected])
      })
    })

    it('tells present from missing values inside JSON', async () => {
      const cases = INSIDE_JSON.flatMap((name) =>
        (['=', '!', '?*'] as const).map((operator) => ({ name, operator, literal: '' })),
      )
      await eachCase(cases, nameOfLiteral, async ({ name, operator, literal }) => {
        const expected = having(valuesOfAll(name), (values) =>
          values.some((value) => passesInside(value, operator, literal)),
        )
        expect(await found([name, written(operator, literal)])).to.deep.equal(expected)
      })
    })
  })
})

/**
 * Filters with an operator. For an attribute of the thing itself: each literal alone, all as alternatives,
 * all at once, and the empty value. At other positions: one literal, and all as alternatives with the empty
 * value. For lists: all literals at once instead of one, as items differ.
 */
function questions(
  kind: FilteredKind,
  operator: Operator,
  place: 'own' | 'single' | 'many',
  things: readonly Thing[],
): Question[] {
  const { parts, literals } = samples[kind]
  const asked = operator === '?*' ? parts.map((part): [string, Json] => [part, part]) : literals
  const tests = asked.map(([literal, meant]): [string, Comparison] => [
    written(operator, String(withIds(literal, things))),
    { operator, value: withIds(meant, things) },
  ])
  const nothing: [string, Comparison] = [written(operator, ''), { operator, value: null }]
  const any = anyOf(operator === '=' || operator === '!' ? [...tests, nothing] : tests)
  const each = tests.map((test) => anyOf([test]))
  // A masked number accepts one value per filter.
  if (kind === 'secret') return [...each, ...(place === 'own' ? ofNothing(operator, nothing) : [])]
  if (place === 'single') return [...each.slice(0, 1), any]
  const atOnce = { written: tests.map(([value]) => value), conditions: tests.map(([, test]) => [test]) }
  return place === 'many' ? [atOnce, any] : [...each, atOnce, any, ...ofNothing(operator, nothing)]
}

function nameOfCase({
  kind,
  name,
  operator,
}: {
  kind: FilteredKind
  name: string
  operator: Operator
}): string {
  return `${name} (${kind}) with ${operator}`
}

function nameOfLiteral({
  name,
  operator,
  literal,
}: {
  name: string
  operator: Operator
  literal: string
}): string {
  return `${name}=${written(operator, literal)}`
}

function anyOf(tests: readonly [string, Comparison][]): Question {
  return { written: [tests.map(([value]) => value).join('|')], conditions: [tests.map(([, test]) => test)] }
}

function ofNothing(operator: Operator, nothing: [string, Comparison]): Question[] {
  return operator === '=' || operator === '!' ? [anyOf([nothing])] : []
}

function written(operator: Operator, literal: string): string {
  return (operator === '=' ? '' : operator) + literal
}

function isAllowed(kind: FilteredKind, operator: Operator): boolean {
  if (operator === '=' || operator === '!') return true
  return operator === '?*' ? isSearched(kind) : samples[kind].isOrdered
}

function attributeOf(kind: FilteredKind): string {
  return kind === 'constant' ? 'object' : kind
}

function placeOf(kind: FilteredKind, name: string): 'own' | 'single' | 'many' {
  if (name === attributeOf(kind)) return 'own'
  return /children|list/.test(name) ? 'many' : 'single'
}

function nameOf(prefix: string, attribute: string): string {
  return prefix === '' ? attribute : `${prefix}[${attribute}]`
}

function partsOf(name: string): string[] {
  return name.replaceAll(']', '').split('[')
}

function described(name: string): string {
  return partsOf(name)
    .map((part) => `[${part}]`)
    .join('')
}
