import type { FastifyInstance } from 'fastify'
import type { App } from '../../../src/app.js'
import { consoleServer, type TestOperator } from '../../support/console.js'
import { expectHtml } from '../../support/strict-html.js'

/** An answer of the console to the operator's browser. */
export interface Visited {
  readonly status: number
  readonly text: string
  /** Redirect address; empty if there is none. */
  readonly location: string
  /** Fields of the form in the page, as a browser sends them. */
  readonly fields: Readonly<Record<string, string>>
}

/** An operator who reads pages and sends forms, with a browser without scripts. */
export interface OperatorVisit {
  get(path: string): Promise<Visited>
  /** Posts fields to a page, usually those of its form with changes. */
  send(path: string, fields: Readonly<Record<string, string>>): Promise<Visited>
}

/** Creates an operator's visit. A path is below `/console/test/` unless it begins with `/console`. */
export function operatorVisit(app: App, operator: TestOperator = {}): OperatorVisit {
  const server: FastifyInstance = consoleServer(app, operator)
  const visited = async (method: 'GET' | 'POST', path: string, payload?: string): Promise<Visited> => {
    const answer = await server.inject({
      method,
      url: path.startsWith('/console') ? path : `/console/test/${path}`,
      ...(payload !== undefined && {
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    })
    if (answer.statusCode !== 303) expectHtml(answer.body)
    return {
      status: answer.statusCode,
      text: answer.body,
      location: String(answer.headers.location ?? ''),
      fields: fieldsOf(answer.body),
    }
  }
  return {
    get: async (path) => await visited('GET', path),
    send: async (path, fields) => await visited('POST', path, new URLSearchParams(fields).toString()),
  }
}

function fieldsOf(text: string): Record<string, string> {
  const main = text.slice(text.indexOf('<main'))
  const inputs = [...main.matchAll(/<input[^>]*? name="([^"]+)"[^>]*>/g)].filter(
    ([input]) => !/ type="(?:radio|checkbox)"/.test(input) || input.includes(' checked'),
  )
  const selects = [...main.matchAll(/<select[^>]*? name="([^"]+)".*?<\/select>/gs)]
  return Object.fromEntries([
    ...inputs.map(([input, name = '']) => [name, sentValue(input)]),
    ...selects.map(([select, name = '']) => [
      name,
      sentValue(/<option[^>]* selected>/.exec(select)?.[0] ?? ''),
    ]),
  ])
}

function sentValue(tag: string): string {
  return decoded(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}
