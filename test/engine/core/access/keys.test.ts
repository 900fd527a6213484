import { expect } from 'chai'
import type { Principal } from '../../../../src/engine/core/request/principal.js'
import { type Endpoint, endpointsOf } from '../../../../src/schema/openapi/endpoints.js'
import { registry } from '../../../support/contract/document.js'
import { openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { firstOf, type Merchant, makeMerchant, reachable, unknownLike } from '../merchants.js'
import { type Asked, type IdOf, waysTo } from './asked.js'
import { digest } from './digest.js'
import { inPart, partOfCommit } from './part-of-commit.js'
import { differences, hear, textOf } from './passes.js'

const endpoints = endpointsOf(registry)

const isAdmin = ({ path }: Endpoint) => path.startsWith('/admin')

interface Kind {
  readonly name: string
  readonly principal: (own: Merchant) => Omit<Principal, 'id'>
  /** Whether an endpoint is refused with a 403 for any object. */
  readonly refuses: (endpoint: Endpoint) => boolean
  /** A principal whose answers the key must get, too, from each endpoint that the key may read. */
  readonly reads: (own: Merchant) => Omit<Principal, 'id'>
}

const managing: Omit<Principal, 'id'> = { kind: 'key', manage: true }
const full: Omit<Principal, 'id'> = { kind: 'key', manage: false }
const reading = Object.fromEntries(reachable.map(({ plural }) => [plural, ['GET'] as const]))

const KINDS: readonly Kind[] = [
  {
    name: 'without manage',
    principal: () => full,
    refuses: isAdmin,
    reads: () => managing,
  },
  {
    name: 'with an empty list of grants',
    principal: () => ({ ...managing, grants: {} }),
    refuses: () => true,
    reads: () => full,
  },
  {
    name: 'with grants to read',
    principal: () => ({ ...managing, grants: reading }),
    refuses: (endpoint) => endpoint.method !== 'GET' || isAdmin(endpoint),
    reads: () => full,
  },
  {
    name: 'for a page',
    principal: () => ({ ...full, kind: 'client', grants: { transactions: ['POST'] } }),
    // A client key may only pay, without dry runs.
    refuses: () => true,
    reads: () => full,
  },
  {
    name: 'of a narrowed manager',
    principal: ({ processing }) => ({ ...managing, processingIds: [processing] }),
    refuses: ({ does }) => does.kind === 'operate' && !does.operation.isScoped,
    reads: ({ processing }) => ({ ...full, processingIds: [processing] }),
  },
]

/** Sends requests to every endpoint with every kind of key. */
onDatabases((open) => {
  describe('permissions of a key', () => {
    let core: TestCore
    let own: Merchant
    let keyId: string
    let stored: ReadonlyMap<string, string>
    before(async () => {
      core = await openCore(open)
      own = await makeMerchant(core)
      keyId = String((await core.ok('POST', '/admin/keys', { description: 'somebody' })).id)
      stored = await digest(core.app)
    })
    afterEach(async () => {
      expect(await digest(core.app)).to.deep.equal(stored)
    })

    const mine: IdOf = ({ plural, admin }) => (admin ? keyId : firstOf(own, plural))
    const nobodys: IdOf = (resource) => unknownLike(mine(resource))
    const asking = (some: readonly Endpoint[], at: IdOf): Asked[] =>
      partOfCommit(
        some.flatMap((endpoint) => waysTo(endpoint, { mine: at, at })),
        core.place,
      )
    const heard = async (principal: Omit<Principal, 'id'>, asked: readonly Asked[], id: IdOf) => {
      const ids = new Set([...registry.all].map(id))
      const answers = await hear(core, { id: 'key_somebody', ...principal }, asked)
      return answers.map((answer) => textOf(answer, (one) => (ids.has(one) ? '<id>' : one)))
    }

    for (const { name, principal, refuses, reads } of KINDS) {
      it(
        `refuse a request with a key ${name}, whether or not the object exists`,
        inPart(async () => {
          const refused = endpoints.filter(refuses)
          const about = asking(refused, mine)
          expect(about).to.not.be.empty
          const answers = await heard(principal(own), about, mine)
          const others = about.filter((_, index) => !answers[index]?.startsWith('[403,'))
          expect(others).to.deep.equal([])
          const ofNobody = await heard(principal(own), asking(refused, nobodys), nobodys)
          expect(differences(about, ofNobody, answers).join('\n')).to.equal('')
        }),
      )

      const read = endpoints.filter((one) => one.method === 'GET' && !refuses(one) && !isAdmin(one))
      if (read.length === 0) continue
      it(
        `give a key ${name} the same answers as other keys that may read`,
        inPart(async () => {
          const about = asking(read, mine)
          const expected = await heard(reads(own), about, mine)
          expect(differences(about, expected, await heard(principal(own), about, mine)).join('\n')).to.equal(
            '',
          )
        }),
      )
    }
  })
})
