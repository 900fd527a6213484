import type { App, AppEnvironment } from '../../src/app.js'
import type { WorkAtGateway } from '../../src/domain/gateway-work.js'
import type { Core } from '../../src/engine/core/core.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { ApiRequest, ApiResponse } from '../../src/engine/core/request/request.js'
import { AnswerClock } from '../../src/engine/core/write/answer-clock.js'
import { Model } from '../../src/model/model.js'
import { stopwatch, systemClock } from '../../src/platform/clock.js'
import { resources } from '../../src/resources/resource-table.js'
import { registryOf } from '../../src/schema/registry.js'

/** The only valid key of the echo app. */
export const KEY = 'test_secret_key_echo'
export const BASIC = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`

export interface EchoApp extends App {
  readonly requests: ApiRequest[]
  /** The environment that the app returns for both test and live. */
  readonly opened: Omit<AppEnvironment, 'name'>
  /** The work at its only gateway, `up`. */
  readonly gateway: WorkAtGateway
  readonly closed: { count: number }
}

/** An app whose core returns each request, to test how HTTP parses requests before the core. */
export function echoApp(handle: Core['handle'] = echo): EchoApp {
  const requests: ApiRequest[] = []
  const closed = { count: 0 }
  const core: Core = {
    handle(request) {
      requests.push(request)
      return handle(request)
    },
    completeAnswers: async () => undefined,
    write: () => Promise.reject(new Error('The echo keeps nothing')),
    read: () => Promise.reject(new Error('The echo keeps nothing')),
  }
  const gateway: WorkAtGateway = {
    findOutcomes: async () => [],
    pollEvents: async () => undefined,
    handleNotifications: async () => undefined,
    runDueJob: async () => [],
    runDueJobs: async () => [],
  }
  const opened: EchoApp['opened'] = {
    core,
    principalOfLogin: async () => owner,
    oauth: () => Promise.reject(new Error('The echo keeps nothing')),
    expectWritable: async () => undefined,
    expectBooks: async () => undefined,
    runner: core,
    answerClock: new AnswerClock(systemClock, stopwatch),
    logDays: 30,
    publishHead: async () => undefined,
    remoteGateways: async () => ['up'],
    atGateway: async () => gateway,
    reconcile: async () => [],
    runOwnJobs: async () => [],
    payables: async () => ({
      link: async () => undefined,
      entries: async () => new Map(),
      action: async () => undefined,
      checkout: () => Promise.reject(new Error('The echo keeps nothing')),
    }),
    runDueJobs: async () => [],
    deliver: async () => 0,
    sendMail: async () => 0,
    sendOneMail: async () => undefined,
  }
  return {
    model: new Model(registryOf(resources)),
    rails: async () => ({}),
    capabilitiesOf: async () => undefined,
    requests,
    closed,
    opened,
    gateway,
    environment: async (name) => ({ ...opened, name }),
    receiveNotification: async () => 'unknown',
    names: () => true,
    sign: () => '',
    servedAt: () => undefined,
    authenticate: async (credential) =>
      credential === KEY
        ? { environment: 'test', principal: { ...owner, kind: 'key', id: 'key_echo' } }
        : undefined,
    close: async () => {
      closed.count++
    },
  }
}

async function echo(): Promise<ApiResponse> {
  return { status: 200, body: { object: 'echo' }, headers: {} }
}
