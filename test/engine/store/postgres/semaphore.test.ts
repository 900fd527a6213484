import { expect } from 'chai'
import { Semaphore } from '../../../../src/engine/store/postgres/semaphore.js'
import { handTimers } from '../../../support/timers.js'

describe('a semaphore', () => {
  it('gives its places in order of the requests', async () => {
    const places = new Semaphore(1, handTimers())
    const order: string[] = []
    const ask = async (name: string) => {
      if (await places.take(10)) order.push(name)
    }
    await ask('first')
    const others = [ask('second'), ask('third')]
    expect(order).to.deep.equal(['first'])
    places.give()
    places.give()
    await Promise.all(others)
    expect(order).to.deep.equal(['first', 'second', 'third'])
  })

  it('ends a wait after its limit without losing the place', async () => {
    const timers = handTimers()
    const places = new Semaphore(1, timers)
    expect(await places.take(10)).to.equal(true)
    const impatient = places.take(10)
    const patient = places.take(100)
    timers.pass(10)
    expect(await impatient).to.equal(false)
    places.give()
    expect(await patient).to.equal(true)
    expect(timers.waiting).to.deep.equal([])
    places.give()
    expect(await places.take(10)).to.equal(true)
  })
})
