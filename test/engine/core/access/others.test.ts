import { expect } from 'chai'
import { owner, type Principal } from '../../../../src/engine/core/request/principal.js'
import { endpointsOf } from '../../../../src/schema/openapi/endpoints.js'
import { registry } from '../../../support/contract/document.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { firstOf, type Merchant, makeMerchant, narrowed, reachable, unknownLike } from '../merchants.js'
import { type Asked, type IdOf, waysTo } from './asked.js'
import { digest } from './digest.js'
import { disturb } from './disturb.js'
import { type Linked, link } from './links.js'
import { inPart, partOfCommit } from './part-of-commit.js'
import { differences, hear, textOf } from './passes.js'
import { questionsTo } from './questions.js'

/** A time in the middle of an hour, so that all passes are in the same hour. */
const NOW = Date.UTC(2027, 0, 4, 15, 30)

const endpoints = endpointsOf(registry).filter(({ path }) => !path.startsWith('/admin'))

const firstsOf =
  (merchant: Merchant): IdOf =>
  ({ plural }) =>
    firstOf(merchant, plural)

/** Sends requests to every endpoint about another merchant's objects, in every possible form. */
onDatabases((open) => {
  describe('a key narrowed to one merchant', () => {
    let core: TestCore
    let own: Merchant
    let other: Merchant
    let known: ReadonlySet<string>
    before(async () => {
      core = await openCore(open, { clock: { now: () => NOW } })
      own = await makeMerchant(core)
      other = await makeMerchant(core)
      known = new Set([...own.ids.values(), ...other.ids.values()].flat())
    })

    const some = (asked: readonly Asked[]) => partOfCommit(asked, core.place)
    const asking = (at: IdOf) =>
      some(endpoints.flatMap((endpoint) => waysTo(endpoint, { mine: firstsOf(own), at })))
    const heardBy = async (principal: Principal, asked: readonly Asked[]) =>
      (await hear(core, principal, asked)).map((answer) =>
        textOf(answer, (id) => (known.has(id) ? id : undefined)),
      )

    /** Deleted objects of a merchant, by path. */
    async function deletedOf({ ids }: Merchant): Promise<Map<string, string>> {
      const deleted = new Map<string, string>()
      for (const [plural, all] of ids)
        for (const id of all)
          if ((await core.send('GET', `/${plural}/${id}`)).status === 404) deleted.set(plural, id)
      return deleted
    }

    /** The first object per path that a merchant sees besides its own. */
    async function sharedWith({ key: principal, ids }: Merchant): Promise<Map<string, string>> {
      const shared = new Map<string, string>()
      for (const [plural, own] of ids) {
        const listed = await core.ok('GET', `/${plural}`, undefined, { query: 'fields=id', principal })
        for (const id of valuesOf(listed).map(idOf)) if (!own.includes(id)) shared.set(plural, id)
      }
      return shared
    }

    it(
      'cannot tell an object of another merchant from a deleted or unknown object',
      inPart(async () => {
        const gone = await makeMerchant(core)
        await disturb(core, gone)
        const stored = await digest(core.app)
        const principal = narrowed(own.processing, gone.processing)
        const nobodys: IdOf = ({ plural }) => unknownLike(firstOf(other, plural))
        const deleted = await deletedOf(gone)
        expect(deleted.size).to.be.greaterThan(15)
        /** The answers to requests about objects, with the ids removed. */
        const about = async (at: IdOf, asked = asking(at)) => {
          const ids = new Map([...known].map((id) => [id, id]))
          for (const resource of reachable) ids.set(at(resource), '<id>')
          const texts = (await hear(core, principal, asked)).map((answer) =>
            textOf(answer, (id) => ids.get(id)),
          )
          return { asked, texts }
        }
        const ofNobody = await about(nobodys)
        const theirs = await about(firstsOf(other))
        expect(differences(theirs.asked, ofNobody.texts, theirs.texts).join('\n')).to.equal('')
        const past: IdOf = (of) => deleted.get(of.plural) ?? nobodys(of)
        const gones = await about(past, asking(past).filter(isNoList))
        const expected = ofNobody.texts.filter((_, index) => isNoList(ofNobody.asked[index]))
        expect(differences(gones.asked, expected, gones.texts).join('\n')).to.equal('')
        expect(await digest(core.app)).to.deep.equal(stored)
      }),
    )

    describe('that does business with another merchant', () => {
      let linked: Linked
      before(async () => {
        linked = await link(core, own, other)
        known = new Set([...known, ...linked.hidden])
      })

      it(
        'learns no fact about that merchant from a refused request, which changes no data',
        inPart(async () => {
          const asked = asking(firstsOf(other)).filter(({ method }) => method !== 'GET')
          const heard = await hear(core, own.key, asked)
          const refused = asked.filter((_, index) => heard[index]?.status !== 200)
          const stored = await digest(core.app)
          for (const { method, path, query, body } of refused) {
            const { status } = await core.send(method, path, body, { query, principal: own.key })
            expect(status, `${method} ${path} ${query} ${JSON.stringify(body)}`).to.be.greaterThan(200)
          }
          expect(await digest(core.app)).to.deep.equal(stored)
        }),
      )

      it(
        'learns no private value of that merchant from any query',
        inPart(async () => {
          const questions = reachable.flatMap((resource) =>
            questionsTo(resource).map(
              (query): Asked => ({ method: 'GET', path: `/${resource.plural}`, query }),
            ),
          )
          const seen = await sharedWith(own)
          const shared: IdOf = (resource) => seen.get(resource.plural) ?? firstOf(own, resource.plural)
          const ownOnes = [...asking(firstsOf(own)), ...asking(shared), ...some(questions)]
          const asked = [...ownOnes, ...asking(firstsOf(other))]
          const lists = reachable.map(({ plural }): Asked => ({ method: 'GET', path: `/${plural}` }))
          const before = await heardBy(own.key, asked)
          const operators = await heardBy(owner, lists)
          const told = before.slice(0, ownOnes.length).join()
          expect(linked.hidden.filter((id) => told.includes(id))).to.deep.equal([])
          expect(await disturb(core, linked.stranger, linked.lent)).to.be.greaterThan(200)
          expect(differences(asked, before, await heardBy(own.key, asked)).join('\n')).to.equal('')
          const now = await heardBy(owner, lists)
          expect(lists.filter((_, index) => now[index] === operators[index])).to.deep.equal([])
        }),
      )
    })
  })
})

/**
 * Whether a request does not read a list. Lists show references to deleted objects, and their filters and
 * cursors accept such references.
 */
function isNoList(asked: Asked | undefined): boolean {
  if (asked?.method !== 'GET') return true
  const isPlain = asked.query === undefined || asked.query.startsWith('fields')
  return isPlain && asked.path.lastIndexOf('/') > 0
}
