import { expect } from 'chai'
import type { Core } from '../../../src/engine/core/core.js'
import { owner as principal } from '../../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, list } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { openThings } from './matrix/open-things.js'

/** Unknown names, some of which every JavaScript object inherits. */
const UNKNOWN = [
  'colour',
  'constructor',
  '__proto__',
  'toString',
  '$x',
  'fields',
  'deleted_at',
  'secret_hash',
]

/** Positions of a name: the text before and after it. */
const PLACES = [
  ['', ''],
  ['within[', ']'],
  ['within[deeper][', ']'],
  ['next[', ']'],
  ['next[within][', ']'],
  ['next[next][', ']'],
  ['text[', ']'],
  ['children[', ']'],
  ['children[0][', ']'],
  ['children[next][within][', ']'],
  ['list[', ']'],
  ['list[0][', ']'],
  ['next[list][', ']'],
  ['children[list][3][', ']'],
] as const

/** Parameters that contain names; `details` have the error under the first word. */
const PARAMETERS: readonly (readonly [what: string, under: string, pair: (name: string) => QueryPair])[] = [
  ['a filter', '', (name) => [name, 'x']],
  ['fields', 'fields', (name) => ['fields', `id,${name}`]],
  ['order_by', 'order_by', (name) => ['order_by', name]],
  ['group_by', 'group_by', (name) => ['group_by', `id,${name}`]],
  ['a function of many in fields', 'fields', (name) => ['fields', `sum(${name})`]],
  ['a function of one in fields', 'fields', (name) => ['fields', `id,year(${name})`]],
  ['a function in a filter', '', (name) => [`month(${name})`, '1']],
  ['a function in order_by', 'order_by', (name) => ['order_by', `max(${name})`]],
  ['a function in group_by', 'group_by', (name) => ['group_by', `day(${name})`]],
]

onDatabases((open) => {
  describe('an unknown name', () => {
    let core: Core
    let id: string
    before(async () => {
      core = await openThings(open)
      id = idOf(await send('POST', '/things', {}))
    })

    const send = async (method: Method, path: string, body?: Json, query?: readonly QueryPair[]) =>
      (await core.handle({ method, path, body, query, principal })).body
    const refusalOf = ({ error_type: type, error_description: description }: JsonObject) => [
      type,
      description,
    ]

    for (const [what, under, pair] of PARAMETERS)
      it(`is refused with a 400 that names it in ${what}, at any position`, async () => {
        const cases = PLACES.flatMap(([before, after]) =>
          UNKNOWN.map((unknown) => ({ unknown, query: pair(before + unknown + after) })),
        )
        await eachCase(
          cases,
          ({ query }) => query.join('='),
          async ({ unknown, query }) => {
            const answer = await send('GET', '/things', undefined, [query])
            const [type, description] = refusalOf(answer)
            expect(type).to.equal('InvalidAttributes')
            expect(description).to.match(under === '' ? /^\[/ : new RegExp(`^\\[${under}\\]`))
            expect(description).to.contain(unknown)
            expect(JSON.stringify(answer.details)).to.contain('"Unknown attribute"')
          },
        )
      })

    const bodies: readonly [where: string, body: (name: string) => JsonObject, before: string][] = [
      ['an object', (name) => ({ [name]: 1 }), ''],
      ['a group', (name) => ({ within: { [name]: 1 } }), '[within]'],
      ['a group in a group', (name) => ({ within: { deeper: { [name]: 1 } } }), '[within][deeper]'],
      ['one', (name) => ({ next: { [name]: 1 } }), '[next]'],
      ['one in one', (name) => ({ next: { next: { within: { [name]: 1 } } } }), '[next][next][within]'],
      ['many', (name) => ({ children: [{ text: 'a' }, { [name]: 1 }] }), '[children][1]'],
      [
        'many in many',
        (name) => ({ children: [{ children: [{ [name]: 1 }] }] }),
        '[children][0][children][0]',
      ],
      ['plain items', (name) => ({ list: [{ text: 'a' }, { [name]: 1 }] }), '[list][1]'],
      [
        'plain items in many',
        (name) => ({ children: [{ list: [{ [name]: 1 }] }] }),
        '[children][0][list][0]',
      ],
    ]
    it('is refused with a 400 that names it in a body, at any position', async () => {
      const cases = bodies.flatMap(([where, body, before]) =>
        UNKNOWN.map((unknown) => ({ where, body, before, unknown })),
      )
      await eachCase(
        cases,
        ({ where, unknown }) => `${unknown} in ${where}`,
        async ({ body, before, unknown }) => {
          // Built by JSON.parse, so that `__proto__` is a name like any other.
          const sent: JsonObject = JSON.parse(
            JSON.stringify(body('?')).replace('"?"', JSON.stringify(unknown)),
          )
          const query: QueryPair[] = [
            ['mode', 'query'],
            ['id', id],
          ]
          const expected = ['InvalidAttributes', `${before}[${unknown}]`]
          expect(refusalOf(await send('POST', '/things', sent))).to.deep.equal(expected)
          expect(refusalOf(await send('PUT', `/things/${id}`, sent))).to.deep.equal(expected)
          expect(refusalOf(await send('PUT', '/things', sent, query))).to.deep.equal(expected)
          const second = ['InvalidAttributes', `[1]${before}[${unknown}]`]
          expect(refusalOf(await send('POST', '/things', list([{}, sent])))).to.deep.equal(second)
          const both = list([{ id }, { ...sent, id }])
          expect(refusalOf(await send('PUT', '/things', both))).to.deep.equal(second)
        },
      )
    })

    it('is reported together with all other unknown names', async () => {
      const query: QueryPair[] = [
        ['colour', '1'],
        ['next[colour]', '1'],
        ['fields', 'size,sum(weight)'],
        ['order_by', '-length'],
        ['group_by', 'width'],
      ]
      expect(refusalOf(await send('GET', '/things', undefined, query))).to.deep.equal([
        'InvalidAttributes',
        '[colour], [next][colour], [order_by][-length], [group_by][width], [fields][sum(weight)], [fields][size]',
      ])
    })
  })
})
