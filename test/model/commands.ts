import { expect } from 'chai'
import fc from 'fast-check'
import type { ApiResponse } from '../../src/engine/core/request/request.js'
import type { JsonObject } from '../../src/schema/json.js'
import { idOf, objectOf, valuesOf } from '../support/core.js'
import { type Action, actions } from './actions.js'
import { type Model, type Outcome, perform } from './model.js'
import { expectedAnswer, expectedEvent, type Request, type Service } from './service.js'

/** A request that was sent under an idempotency key, with its final answer. */
interface Keyed {
  readonly key: string
  readonly request: Request
  readonly answer: ApiResponse
}

export interface Real {
  readonly service: Service
  readonly keyed: Keyed[]
}

type Command = fc.AsyncCommand<Model, Real>
type Way = 'plainly' | 'dry' | 'keyed'

export const commands: fc.Arbitrary<Command>[] = [
  ...actions.map((action) => askings(action, 'plainly')),
  ...actions.map((action) => askings(action, 'keyed')),
  fc.oneof(...actions).map((action) => new Ask(action, 'dry')),
  fc.nat().map((nth) => new Repeat(nth)),
]

function askings(action: fc.Arbitrary<Action>, way: Way): fc.Arbitrary<Command> {
  return action.map((asked) => new Ask(asked, way))
}

/** Sends a request; the answer and all stored data must match the model. */
class Ask implements Command {
  constructor(
    private readonly action: Action,
    private readonly way: Way,
  ) {}

  check({ transactions }: Model): boolean {
    return !('nth' in this.action) || transactions.length > 0
  }

  async run(model: Model, { service, keyed }: Real): Promise<void> {
    const request = service.requestOf(this.action, model)
    const key = `key-${service.processingId}-${keyed.length}`
    const before = model.transactions.length
    const after = this.way === 'dry' ? structuredClone(model) : model
    const deleted = this.action.kind === 'delete' ? structuredClone(model) : undefined
    const outcome = perform(after, this.action)
    const answer = await service.send(request, {
      dryRun: this.way === 'dry',
      ...(this.way === 'keyed' ? { idempotencyKey: key } : {}),
    })
    expectAnswer(service, deleted ?? after, outcome, answer)
    if (this.way !== 'dry') {
      if (outcome.kind !== 'refused')
        service.ids.push(...madeIds(answer).slice(0, after.transactions.length - before))
      if (outcome.kind !== 'refused' && this.way === 'keyed') keyed.push({ key, request, answer })
    }
    expect(await service.shown()).to.deep.equal(service.expected(model))
  }

  toString(): string {
    return `${JSON.stringify(this.action)} ${this.way}`
  }
}

/**
 * Repeats a request under its key, which must return the same answer without effect. Another request under
 * that key must be refused.
 */
class Repeat implements Command {
  constructor(private readonly nth: number) {}

  check(): boolean {
    return true
  }

  async run(model: Model, { service, keyed }: Real): Promise<void> {
    const first = keyed[this.nth % keyed.length]
    if (!first) return
    const { key, request, answer } = first
    const again = await service.send(request, { idempotencyKey: key })
    expect(again).to.deep.equal({ ...answer, headers: { 'Idempotent-Replay': 'true' } })
    // A deletion is fully described by its path; any other request can have another body under the key.
    if (request.method !== 'DELETE') {
      const other = { ...request, body: { description: 'something else' } }
      expect((await service.send(other, { idempotencyKey: key })).status).to.equal(422)
    }
    expect(await service.shown()).to.deep.equal(service.expected(model))
  }

  toString(): string {
    return `repeat ${this.nth}`
  }
}

function expectAnswer(service: Service, model: Model, outcome: Outcome, { status, body }: ApiResponse): void {
  switch (outcome.kind) {
    case 'done':
      expect(status, JSON.stringify(body)).to.equal(200)
      if (body.object === 'simulation') expect(body).to.include(expectedEventOf(model, outcome.subjects))
      else
        expect(objectsOf(body).map((object) => service.told(object))).to.deep.equal(
          expectedOf(model, outcome.subjects),
        )
      break
    case 'declined':
      expect(status).to.equal(400)
      expect(body.error_type).to.equal('TransactionDeclined')
      expect([service.told(objectOf(body.details))]).to.deep.equal(expectedOf(model, [outcome.subject]))
      break
    case 'refused':
      expect(body.error_type, JSON.stringify(body)).to.equal(outcome.type)
  }
}

function expectedOf({ transactions }: Model, places: readonly number[]): JsonObject[] {
  return transactions.filter((_, place) => places.includes(place)).map(expectedAnswer)
}

function expectedEventOf({ transactions }: Model, [place = 0]: readonly number[]): JsonObject {
  const recorded = transactions[place]
  if (!recorded) throw new Error('Nothing was recorded')
  return expectedEvent(recorded)
}

function objectsOf(body: JsonObject): JsonObject[] {
  return body.object === 'list' ? valuesOf(body) : [body]
}

function madeIds({ status, body }: ApiResponse): string[] {
  if (body.object === 'simulation') return [String(body.recorded_id)]
  return (status === 200 ? objectsOf(body) : [objectOf(body.details)]).map(idOf)
}
