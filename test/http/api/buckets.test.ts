import { expect } from 'chai'
import fc from 'fast-check'
import { Buckets, MAX_CALLERS } from '../../../src/http/api/buckets.js'

const MINUTE = 60_000

/** Creates buckets of a rate limit, whose clock the test sets. */
function bucketsAt(limit: number, start = Date.UTC(2027, 0, 1)) {
  const time = { now: start }
  return { time, buckets: new Buckets(limit, { now: () => time.now }) }
}

describe('rate limits', () => {
  it('allow the requests of a minute at once, and then one more after each refill', () => {
    const { time, buckets } = bucketsAt(6)
    const left = Array.from({ length: 6 }, () => buckets.take('a').remaining)
    expect(left).to.deep.equal([5, 4, 3, 2, 1, 0])
    expect(buckets.take('a')).to.deep.equal({ limit: 6, remaining: 0, reset: MINUTE, wait: 10_000 })
    time.now += 9_999
    expect(buckets.take('a')).to.include({ remaining: 0, wait: 1 })
    time.now += 1
    expect(buckets.take('a')).to.include({ remaining: 0, wait: 0 })
    expect(buckets.take('a')).to.include({ wait: 10_000 })
    time.now += MINUTE
    expect(buckets.look('a')).to.deep.equal({ limit: 6, remaining: 6, reset: 0, wait: 0 })
  })

  it('count each caller separately', () => {
    const { buckets } = bucketsAt(1)
    buckets.take('a')
    expect([buckets.take('a').wait > 0, buckets.take('b').wait]).to.deep.equal([true, 0])
  })

  it('never admit more in a minute than twice the limit, nor less than the limit', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), steps, (limit, pauses) => {
        const { time, buckets } = bucketsAt(limit)
        const begin = time.now
        let admitted = 0
        for (const pause of pauses) {
          time.now += pause
          const owed = limit + Math.floor(((time.now - begin) * limit) / MINUTE)
          if (buckets.take('a').wait === 0) admitted++
          else expect(buckets.look('a').remaining).to.equal(0)
          expect(admitted).to.be.at.most(owed)
        }
        time.now += MINUTE
        expect(buckets.look('a').remaining).to.equal(limit)
      }),
    )
  })

  it('report a wait after which one more request is admitted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: MINUTE }), (limit, pause) => {
        const { time, buckets } = bucketsAt(limit)
        for (let n = 0; n < limit; n++) buckets.take('a')
        time.now += pause
        while (buckets.take('a').wait === 0);
        const { wait } = buckets.look('a')
        time.now += wait - 1
        expect(buckets.take('a').wait).to.equal(1)
        time.now += 1
        expect(buckets.take('a').wait).to.equal(0)
      }),
    )
  })

  it('continue when the clock is set back', () => {
    const { time, buckets } = bucketsAt(2)
    buckets.take('a')
    buckets.take('a')
    time.now -= 3_600_000
    expect(buckets.take('a').wait).to.equal(30_000)
    time.now += 30_000
    expect(buckets.take('a').wait).to.equal(0)
  })

  it('forget the least recent caller when there are too many', () => {
    const { buckets } = bucketsAt(2)
    buckets.take('first')
    buckets.take('second')
    buckets.take('first')
    for (let n = 0; n < MAX_CALLERS - 1; n++) buckets.take(`caller ${n}`)
    expect(buckets.look('second').remaining).to.equal(2)
    expect(buckets.look('first').remaining).to.equal(0)
  })
})
