import { expect } from 'chai'
import fc from 'fast-check'
import { foldedText } from '../../../src/schema/folded-text.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

describe('letters in a search', () => {
  onDatabases('sql', (open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const found = async (name: string, path = '/customers') =>
      valuesOf(await core.ok('GET', path, undefined, { query: `limit=1000&name=${name}` })).map(
        (customer) => customer.name,
      )
    const make = async (name: string, more = {}) =>
      idOf(await core.ok('POST', '/customers', { name, ...more }))

    it('match in any case, script and Unicode composition', async () => {
      const groups = [
        ['MÜLLER GmbH', 'Müller AG', 'mu\u0308ller & Co'],
        ['Café Central', 'Cafe\u0301 Central', 'CAFÉ CENTRAL'],
        ['Große Straße', 'GROSSE STRASSE'],
        ['ΚΡΗΤΗΣ', 'κρητης'],
        ['Чайковский', 'ЧАЙКОВСКИЙ'],
        ['İstanbul', 'i\u0307STANBUL'],
        ['Ծիրան', 'ԾԻՐԱՆ'],
        ['ガラス', 'カ\u3099ラス'],
      ]
      for (const group of groups) for (const name of group) await make(name)
      for (const group of groups)
        for (const name of group) {
          const part = name.slice(0, 7).trim()
          expect(await found(`?*${part}*`), part).to.have.members(group)
          expect(await found(`?${part}*`), part).to.have.members(group)
        }
      expect(await found('?*cafe*')).to.deep.equal([])
      expect(await found('?cafe*')).to.deep.equal([])
      expect(await found('Müller AG')).to.deep.equal(['Müller AG'])
    })

    it('match in related objects, inside JSON and in groups', async () => {
      await make('Ängström', { attrs: { city: 'MALMÖ' } })
      expect(await found('?*ström&attrs[city]=?*malmö')).to.deep.equal(['Ängström'])
      const query = 'group_by=name&fields=name&max(name)=?*ÄNGSTRÖM'
      expect(valuesOf(await core.ok('GET', '/customers', undefined, { query }))).to.deep.equal([
        { name: 'Ängström' },
      ])
    })

    it('match exactly like case folding in memory', async () => {
      const unit = fc.constantFrom(...'aAßẞsSſüÜu\u0308ıIiİ\u0307ﬁfFéE\u0301σςΣǰJ\u030c%_\\\\\'" ')
      const text = fc.string({ unit, minLength: 1, maxLength: 6 })
      const names = fc.sample(text, { numRuns: 60, seed: 1 }).map((name, n) => `${n} ${name}`)
      for (const name of names) await make(name, { description: 'sample' })
      for (const part of fc.sample(text, { numRuns: 60, seed: 2 })) {
        const escaped = part.replaceAll(/[\\*|!<>?]/g, (mark) => `\\${mark}`)
        const expected = names.filter((name) => foldedText(name).includes(foldedText(part)))
        expect(await found(`?*${escaped}*&description=sample`), part).to.have.members(expected)
      }
    })
  })
})
