import { expect } from 'chai'
import { statusMessage } from '../../../src/schema/status-codes.js'

describe('a status message', () => {
  it('describes the code in words', () => {
    expect(statusMessage('insufficient_bal')).to.equal('The balance is not sufficient')
    expect(statusMessage('R01_returned')).to.equal('R01 returned')
    expect(statusMessage(null)).to.equal('Waiting for the answer of the processor')
  })
})
