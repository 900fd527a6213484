import { expect } from 'chai'
import fc from 'fast-check'
import { assessRisk, type RiskFacts } from '../../../src/domain/risk/risk.js'

const calm: RiskFacts = {
  amount: 2_000,
  methodInHour: 0,
  methodInDay: 0,
  customerInDay: 0,
  average: 2_000,
  known: 50,
  isShippedElsewhere: false,
}
const count = fc.nat({ max: 100 })
const facts = fc.record({
  amount: fc.integer({ min: 1, max: 9_999_999_999 }),
  methodInHour: count,
  methodInDay: count,
  customerInDay: count,
  average: fc.nat({ max: 9_999_999_999 }),
  known: count,
  isShippedElsewhere: fc.boolean(),
})

describe('the risk of a payment', () => {
  it('is zero for an unremarkable payment', () => {
    expect(assessRisk(calm)).to.deep.equal({ flag: 'allowed', score: 0 })
  })

  const steps: [string, Partial<RiskFacts>, number][] = [
    ['four payments by the method within an hour', { methodInHour: 4 }, 0],
    ['five', { methodInHour: 5 }, 3_000],
    ['ten', { methodInHour: 10 }, 5_000],
    ['twenty', { methodInHour: 20 }, 8_000],
    ['twenty within a day', { methodInDay: 20 }, 3_000],
    ['fifty within a day', { methodInDay: 50 }, 5_000],
    ['twenty of the customer within a day', { customerInDay: 20 }, 2_000],
    ['fifty of the customer within a day', { customerInDay: 50 }, 4_000],
    ['another postal code', { isShippedElsewhere: true }, 2_000],
    ['three times the usual amount', { amount: 6_000 }, 1_000],
    ['ten times the usual amount', { amount: 20_000 }, 3_000],
    ['ten times an amount that is no history yet', { amount: 20_000, known: 9 }, 0],
  ]
  for (const [what, change, score] of steps) {
    it(`counts ${what}`, () => expect(assessRisk({ ...calm, ...change }).score).to.equal(score))
  }

  it('allows below 0.7, reviews up to 0.9 and denies above', () => {
    const flagged = (change: Partial<RiskFacts>) => assessRisk({ ...calm, ...change })
    expect(flagged({ methodInHour: 10, amount: 6_000 })).to.deep.equal({ flag: 'allowed', score: 6_000 })
    expect(flagged({ methodInHour: 10, isShippedElsewhere: true })).to.deep.equal({
      flag: 'in_review',
      score: 7_000,
    })
    expect(flagged({ methodInHour: 20, amount: 6_000 })).to.deep.equal({ flag: 'in_review', score: 9_000 })
    expect(flagged({ methodInHour: 20, isShippedElsewhere: true }).flag).to.equal('denied')
  })

  it('is between 0 and 1, and never decreases when a factor gets worse', () => {
    fc.assert(
      fc.property(
        facts,
        fc.constantFrom('methodInHour', 'methodInDay', 'customerInDay', 'amount'),
        (one, worse) => {
          const { score } = assessRisk(one)
          expect(score).to.be.within(0, 10_000)
          expect(assessRisk({ ...one, [worse]: one[worse] + 7 }).score).to.be.at.least(score)
        },
      ),
    )
  })
})
