import { expect } from 'chai'
import type { Json } from '../../src/core/json.js'
import { operator as principal } from '../../src/core/principal.js'
import type { Operator } from '../../src/core/query/condition.js'
import type { Core, QueryPair } from '../../src/core/request.js'
import { idOf, valuesOf } from '../support/core.js'
import { onEachDatabase } from '../support/databases.js'
import { type FilteredKind, isFilteredKind, isSearched, type Sample, samples } from './matrix/kinds.js'
import { openThings } from './matrix/open-things.js'
import { type Comparison, passes, passesInside, valuesAt } from './matrix/reference.js'
import { thing } from './matrix/thing.js'
import { makeThings, type Thing, withIds } from './matrix/things.js'

const OPERATORS = ['=', '!', '<', '<=', '>', '>=', '?*'] as const satisfies readonly Operator[]
const KINDS = Object.keys(samples).filter(isFilteredKind)
const IN_GROUPS = Object.keys(thing.fields.within.fields).filter(isFilteredKind)
const IN_ITEMS = Object.keys(thing.fields.list.fields).filter(isFilteredKind)

/** Where an attribute can be, and what kinds of field are there. */
const PLACES: readonly (readonly [name: string, path: string, kinds: readonly FilteredKind[]])[] = [
  ['an own attribute', '', KINDS],
  ['a group', 'within', IN_GROUPS],
  ['a group in a group', 'within[deeper]', IN_GROUPS],
  ['one', 'next', KINDS],
  ['a group in one', 'next[within]', IN_GROUPS],
  ['one in one', 'next[next]', KINDS],
  ['many', 'children', KINDS],
  ['many, by an index', 'children[0]', KINDS],
  ['a group in many', 'children[within]', IN_GROUPS],
  ['one in many', 'children[0][next]', KINDS],
  ['many in one', 'next[children]', KINDS],
  ['many in many', 'children[children]', KINDS],
  ['plain items', 'list', IN_ITEMS],
  ['plain items, by an index', 'list[0]', IN_ITEMS],
  ['plain items in one', 'next[list]', IN_ITEMS],
  ['plain items in many', 'children[list][]', IN_ITEMS],
]

/** All of the conditions hold; each when any of its comparisons does. */
interface Question {
  readonly written: readonly string[]
  readonly conditions: readonly (readonly Comparison[])[]
}

onEachDatabase((open) => {
  describe('every filter', () => {
    let core: Core
    let things: readonly Thing[]
    before(async () => {
      core = await openThings(open)
      things = await makeThings(core)
    })

    const ask = async (...query: QueryPair[]) => await core.handle({ method: 'GET', path: '/things', query, principal })

    /** The numbers of the things that a query finds. */
    const found = async (...query: QueryPair[]) => {
      const { status, body } = await ask(['fields', 'id'], ['order_by', 'id'], ['limit', '1000'], ...query)
      if (status !== 200) throw new Error(`${JSON.stringify(query)}: ${JSON.stringify(body)}`)
      const ids = valuesOf(body).map(idOf)
      return things.flatMap(({ id }, number) => (ids.includes(id) ? number : []))
    }
    const refused = async (name: string, value: string) => {
      const { status, body } = await ask([name, value])
      expect([name, value, status, body.error_description]).to.deep.equal([name, value, 400, described(name)])
    }
    const numbersOf = (holds: (thing: Thing) => boolean) =>
      things.flatMap((thing, number) => (holds(thing) ? number : []))

    for (const [place, prefix, kinds] of PLACES)
      for (const kind of kinds)
        describe(`on ${kind} in ${place}`, () => {
          const name = nameOf(prefix, attributeOf(kind))
          const sample = samples[kind]

          for (const operator of OPERATORS)
            it(`${operator} ${isAllowed(kind, operator) ? 'finds what it should' : 'is refused'}`, async () => {
              if (!isAllowed(kind, operator)) return await refused(name, operator + (sample.parts[0] ?? ''))
              for (const { written, conditions } of questions(sample, operator, things)) {
                const holds = (thing: Thing) => {
                  const values = valuesAt(thing, partsOf(name), things)
                  return conditions.every((tests) =>
                    values.some((value) => tests.some((test) => passes(kind, value, test))),
                  )
                }
                const query = written.map((value) => [name, value] as const)
                expect([written, await found(...query)]).to.deep.equal([written, numbersOf(holds)])
              }
            })

          const { wrong } = sample
          if (wrong !== undefined)
            it('refuses what is no such value', async () => {
              for (const operator of OPERATORS)
                if (operator !== '?*') await refused(name, operator + wrong)
            })
        })

    for (const name of [
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
    ])
      describe(`on ${name}`, () => {
        for (const operator of OPERATORS)
          it(`${operator} finds what it should`, async () => {
            for (const literal of ['5', '10', '1e1', '-1.5', 'Ada', 'true', 'b', '{"b":1}', 'nobody', '2']) {
              const holds = (thing: Thing) =>
                valuesAt(thing, partsOf(name), things).some((value) => passesInside(value, operator, literal))
              const written = operator + literal
              expect([written, await found([name, written])]).to.deep.equal([written, numbersOf(holds)])
            }
          })
        for (const operator of ['=', '!', '?*'] as const)
          it(`${operator} finds what is there`, async () => {
            const holds = (thing: Thing) =>
              valuesAt(thing, partsOf(name), things).some((value) => passesInside(value, operator, ''))
            expect(await found([name, operator])).to.deep.equal(numbersOf(holds))
          })
      })
  })
})

/** What to ask with an operator: each literal, alternatives, all at once, and for what has no value. */
function questions(sample: Sample, operator: Operator, things: readonly Thing[]): Question[] {
  const texts = sample.parts.map((part): [string, Json] => [part, part])
  const literals = (operator === '?*' ? texts : sample.literals).map(([written, meant]): [string, Comparison] => [
    operator.replace('=', written === '' || operator.length > 1 ? '=' : '') + String(withIds(written, things)),
    { operator, value: withIds(meant, things) },
  ])
  return [
    ...literals.map(([written, test]) => ({ written: [written], conditions: [[test]] })),
    { written: [literals.map(([written]) => written).join('|')], conditions: [literals.map(([, test]) => test)] },
    { written: literals.map(([written]) => written), conditions: literals.map(([, test]) => [test]) },
    ...(operator === '=' || operator === '!' ? ofNothing(operator, literals) : []),
  ]
}

function ofNothing(operator: Operator, literals: readonly [string, Comparison][]): Question[] {
  const sign = operator === '=' ? '' : '!'
  const nothing = { operator, value: null }
  return [
    { written: [sign], conditions: [[nothing]] },
    ...literals.slice(0, 1).map(([written, test]) => ({
      written: [`${written}|${sign}`],
      conditions: [[test, nothing]],
    })),
  ]
}

function isAllowed(kind: FilteredKind, operator: Operator): boolean {
  if (operator === '=' || operator === '!') return true
  return operator === '?*' ? isSearched(kind) : samples[kind].isOrdered
}

function attributeOf(kind: FilteredKind): string {
  return kind === 'constant' ? 'object' : kind
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
