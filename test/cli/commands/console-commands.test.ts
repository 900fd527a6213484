import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { LIMITS } from '../../../src/http/api/http-limits.js'
import { parseQueryString } from '../../../src/http/api/request-target.js'
import { consoleServer } from '../../support/console.js'
import { objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'
import { payctl } from './payctl.js'

/** A text with shell commands, redirections and variables, and with special characters of filters. */
const HOSTILE = `O'Brien "& Co" $(id) \`id\` ; id > $HOME/x | * ~ ! \\ \n#`

const sh = promisify(execFile)

onDatabases((open) => {
  describe('the command and the curl line on a list page of the console', () => {
    let core: TestCore
    let server: FastifyInstance

    before(async () => {
      core = await openCore(open)
      server = consoleServer(core.app)
      const processing = await makeProcessing(core)
      await pay(core, processing, 5, { order_number: "O'Brien", description: 'One > two' })
      await pay(core, processing, 29.99, { order_number: 'a*b', description: '-dash' })
      await pay(core, processing, 30, { status: 'authorized' })
      await core.ok('POST', '/admin/keys', { description: "Ben's till" })
    })

    const get = async (path: string, query: string) => {
      const { body } = await server.inject({ method: 'GET', url: `/console/test/${path}?${query}` })
      return body
    }
    const shown = async (path: string, query: string) =>
      [...(await get(path, query)).matchAll(/<code data-copy="">([^<]*)<\/code>/g)].map(([, text = '']) =>
        text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      )
    /** The words that a shell parses from a line, without running its program. */
    const wordsOf = async (line: string, program: string) => {
      const script = `${program}() { printf '%s\\0' "$@"; }\n${line}`
      const { stdout } = await sh('sh', ['-c', script], {
        env: { KEY: 'key', URL: 'https://pay.example.com' },
      })
      return stdout.split('\0').slice(0, -1)
    }
    const ids = (values: ReturnType<typeof valuesOf>) => values.map(({ id }) => id)

    for (const [path, ...query] of [
      ['transactions', ['amount', '>10']],
      ['transactions', ['amount', '<=29.99'], ['order_by', '-amount']],
      ['transactions', ['order_number', "O'Brien"]],
      ['transactions', ['order_number', String.raw`?*a\*b*`]],
      ['transactions', ['description', 'One > two']],
      ['transactions', ['description', '-dash']],
      ['transactions', ['status', 'authorized|voided'], ['type', '!refund']],
      ['transactions', ['fields', 'id,amount'], ['offset', '1'], ['order_by', 'amount']],
      ['transactions', ['description', HOSTILE]],
      ['disputes', ['amount', '>1']],
      ['settings/keys', ['description', "Ben's till"]],
      ['settings/keys', ['description', HOSTILE]],
    ] as const)
      it(`return the same rows: ${path} ${JSON.stringify(query)}`, async () => {
        const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
        const [command = '', curl = ''] = await shown(path, search)
        const listed = valuesOf(JSON.parse(await get(path, `${search}&as=json`)))
        const words = await wordsOf(command, 'payctl')
        const { stdout, stderr, exitCode } = await payctl(core.place, [...words, '--json'])
        expect(exitCode, `${command} ${stderr}`).to.equal(0)
        expect(ids(valuesOf(objectOf(JSON.parse(stdout))))).to.deep.equal(ids(listed))
        const [user, key, address = ''] = await wordsOf(curl, 'curl')
        expect([user, key]).to.deep.equal(['-u', 'key:'])
        const { pathname, search: sent } = new URL(address)
        const answer = await core.app.environment('test').then(({ core: { handle } }) => handle)
        const principal = { kind: 'operator', id: 'owner', role: 'owner', manage: true } as const
        const pairs = parseQueryString(sent.slice(1), LIMITS.parameters)
        const { body } = await answer({ method: 'GET', path: pathname, query: pairs, principal })
        expect(ids(valuesOf(body))).to.deep.equal(ids(listed))
      })

    it('name the live environment on pages of live, also for a report, the home page and an empty list', async () => {
      for (const path of ['', 'transactions', 'customers', 'reports/fees', 'webhooks', 'settings/gateways']) {
        const { body } = await server.inject({ method: 'GET', url: `/console/live/${path}` })
        const commands = [...body.matchAll(/<code data-copy="">(payctl [^<]*)<\/code>/g)].map(
          ([, line]) => line,
        )
        expect(
          commands.filter((line) => !line?.endsWith(' --env live')),
          path,
        ).to.deep.equal([])
        expect(commands, path).to.not.deep.equal([])
      }
    })

    it('return the report of the page', async () => {
      const search = 'from=2026-01-01&to=2026-02-28&by=month'
      const [command = ''] = await shown('reports/fees', search)
      const { stdout } = await payctl(core.place, [...(await wordsOf(command, 'payctl')), '--json'])
      const answer = await core.ok('GET', '/admin/reports/fees', undefined, { query: search })
      expect(JSON.parse(stdout)).to.deep.equal(answer)
    })

    it('quote a parameter that looks like a flag as a value', async () => {
      for (const name of ['--home', '-x', '--where']) {
        const [command = ''] = await shown('transactions', `${name}=/tmp/other`)
        const words = await wordsOf(command, 'payctl')
        const { stderr, exitCode } = await payctl(core.place, words)
        expect(exitCode, stderr).to.equal(3)
        expect(stderr, command).to.include('error: --where ')
      }
    })
  })
})
