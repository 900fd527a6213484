import { expect } from 'chai'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('payctl keys', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })
    const json = async (...words: string[]) =>
      objectOf(JSON.parse((await payctl(place, [...words, '--json'])).stdout))

    it('creates, rotates, lists and revokes keys', async () => {
      const made = await json('keys', 'create', '--env', 'test', '--description', 'shop')
      expect(made.secret_key).to.match(/^test_secret_key_/)
      const rotated = await json('keys', 'rotate', String(made.id))
      expect(rotated).to.include({ description: 'shop', rotated_from_id: made.id ?? null })
      expect(rotated.secret_key)
        .to.match(/^test_secret_key_/)
        .and.not.equal(made.secret_key)
      await json('keys', 'revoke', String(rotated.id))
      const listed = listOf((await json('keys', 'list')).values).map((key) => objectOf(key))
      expect(listed.map(({ id, status }) => [id, status])).to.have.deep.members([
        [made.id, 'revoked'],
        [rotated.id, 'revoked'],
      ])
      expect(listed.filter(({ secret_key }) => secret_key !== undefined)).to.deep.equal([])
    })
  })
})
