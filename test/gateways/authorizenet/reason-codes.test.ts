import { expect } from 'chai'
import { REASON_GROUPS, REVIEW_CODES, reasonGroup } from '../../../src/gateways/authorizenet/reason-codes.js'
import { avsOf, cvvOf } from '../../../src/gateways/authorizenet/verification-codes.js'

/** Ranges of documented reason codes, both ends included. */
const DOCUMENTED: readonly (readonly [number, number])[] = [
  [1, 128],
  [130, 132],
  [141, 141],
  [145, 145],
  [152, 156],
  [165, 165],
  [170, 175],
  [180, 187],
  [191, 193],
  [195, 195],
  [200, 248],
  [250, 254],
  [260, 262],
  [265, 265],
  [270, 271],
  [280, 290],
  [295, 298],
  [300, 320],
  [325, 328],
  [330, 334],
  [339, 344],
  [350, 351],
  [355, 363],
  [370, 371],
  [375, 375],
  [380, 380],
  [901, 901],
  [2000, 2009],
  [2100, 2109],
  [2200, 2200],
]
/** Codes that are not declines: approved, partly approved, already voided, already captured, reversed. */
const APPROVED = [1, 295, 307, 310, 311]

describe('the codes of Authorize.Net', () => {
  it('are all in the table, each once', () => {
    const codes = REASON_GROUPS.flatMap((group) => group.codes)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).to.deep.equal([])
    const known = new Set([...codes, ...[...REVIEW_CODES].map(Number), ...APPROVED])
    const documented = DOCUMENTED.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    expect(documented.filter((code) => !known.has(code))).to.deep.equal([])
    expect([...known].filter((code) => !documented.includes(code))).to.deep.equal([])
  })

  it('mean a decline if they are not documented', () => {
    expect(reasonGroup('7777')).to.include({ statusCode: 'declined' })
    expect(reasonGroup(undefined)).to.include({ statusCode: 'declined' })
  })

  it('name the results of address and card code checks', () => {
    expect([...'ABEGNPRSUWXYZ'].map(avsOf)).to.deep.equal([
      'street',
      'unknown',
      'unknown',
      'unknown',
      'no_match',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'zip',
      'street_and_zip',
      'street_and_zip',
      'zip',
    ])
    expect([...'MNPSU'].map(cvvOf)).to.deep.equal([
      'match',
      'no_match',
      'not_checked',
      'not_checked',
      'unknown',
    ])
    expect([avsOf(''), cvvOf('')]).to.deep.equal([null, null])
  })
})
