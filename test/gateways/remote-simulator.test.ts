import { expect } from 'chai'
import type { GatewayOperation } from '../../src/gateways/contract.js'
import { remoteSimulator } from '../../src/gateways/simulator/remote-simulator.js'
import { UnknownOutcome } from '../../src/gateways/unknown-outcome.js'

const sale = (reference: string): GatewayOperation => ({
  type: 'sale',
  reference,
  amount: 100,
  currency: 'USD',
  method: { type: 'card', number: '4242424242424242' },
})

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('the remote simulator', () => {
  it('answers at once without a script, and executes a repeated reference once', async () => {
    const gateway = remoteSimulator()
    const first = await gateway.perform(sale('a'))
    expect(await gateway.perform(sale('a'))).to.equal(first)
    expect(gateway.performed.map(({ reference }) => reference)).to.deep.equal(['a'])
  })

  it('answers when it is released, if it is scripted to answer later', async () => {
    const gateway = remoteSimulator()
    gateway.script('answers_later')
    let answered = false
    const answer = gateway.perform(sale('a')).then((outcome) => {
      answered = true
      return outcome
    })
    await Promise.resolve()
    expect(answered).to.equal(false)
    expect(await gateway.find(sale('a'), { since: 0 })).to.include({ result: 'approved' })
    gateway.release()
    expect(await answer).to.include({ result: 'approved' })
  })

  it('times out after executing an operation, whose outcome can be found', async () => {
    const gateway = remoteSimulator()
    gateway.script('times_out_after')
    expect(await failure(gateway.perform(sale('a')))).to.be.instanceOf(UnknownOutcome)
    expect(await gateway.find(sale('a'), { since: 0 })).to.include({ result: 'approved' })
  })

  it('fails before executing an operation, which it has then never seen', async () => {
    const gateway = remoteSimulator()
    gateway.script('fails_before', 'answers')
    expect(await failure(gateway.perform(sale('a')))).to.be.instanceOf(UnknownOutcome)
    expect(await gateway.find(sale('a'), { since: 0 })).to.equal('never_seen')
    expect(gateway.performed).to.deep.equal([])
    expect(await gateway.perform(sale('a'))).to.include({ result: 'approved' })
  })
})
