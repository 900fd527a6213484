import { expect } from 'chai'
import fc from 'fast-check'
import { foldedText, lettersFoldedTo } from '../../src/schema/folded-text.js'

describe('a folded text', () => {
  it('is the same for the spellings of a word in any script', () => {
    const words = [
      ['MÜLLER', 'Müller', 'mu\u0308ller'],
      ['STRASSE', 'Straße', 'STRAẞE'],
      ['ΟΔΟΣ', 'Οδός'.replace('ό', 'ο'), 'οδοσ'],
      ['ПРИВЕТ', 'Привет'],
      ['Cafe\u0301', 'CAFÉ'],
      ['ﬁn', 'FIN'],
      ['İ', 'i\u0307'],
      ['Å', '\u212b', 'a\u030a'],
      ['J\u030c', 'ǰ'],
      ['𐐀', '𐐨'],
      ['がぎ', 'か\u3099き\u3099'],
    ]
    for (const [first = '', ...others] of words)
      for (const other of others) expect(foldedText(other), other).to.equal(foldedText(first))
    expect(foldedText('café')).not.to.equal(foldedText('cafe'))
  })

  it('does not change when folded again, and is the same for composed and decomposed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldedText(text)
        expect(foldedText(folded)).to.equal(folded)
        expect(foldedText(text.normalize('NFD'))).to.equal(folded)
      }),
    )
  })

  it('replaces each character as the list of letters says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const replaced = [...text.normalize('NFC')].map(
          (letter) =>
            [...foldedText(letter)].flatMap(lettersFoldedTo).find((each) => each.letter === letter)?.folded ??
            letter,
        )
        expect(replaced.join('')).to.equal(foldedText(text))
      }),
    )
  })
})
