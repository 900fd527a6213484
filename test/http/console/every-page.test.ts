import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { listPath, objectPath } from '../../../src/http/console/elements/object-path.js'
import { CONSOLE_RESOURCES } from '../../../src/http/console/records/console-resources.js'
import { Model } from '../../../src/model/model.js'
import { adminOperations } from '../../../src/resources/admin/admin-operations.js'
import { reports } from '../../../src/resources/reports/report-table.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { registryOf } from '../../../src/schema/registry.js'
import { consoleServer } from '../../support/console.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { HOSTILE, hostileAnswers } from '../../support/hostile-answers.js'
import { expectHtml } from '../../support/strict-html.js'
import { echoApp } from '../echo-app.js'

const model = new Model(registryOf(resources, Object.values(adminOperations)))

const REPORTS = Object.keys(reports).map((name) => `reports/${name}`)

/** Paths of hand-made pages; other pages are derived from the declarations. */
const BY_HAND = [
  '',
  'search',
  'search?q=4242',
  `search?q=${encodeURIComponent(HOSTILE)}`,
  'activity',
  'objects',
  ...REPORTS,
]
const LISTS = ['deposits', 'disputes', ...model.all.map((resource) => listPath(resource).join('/'))]
const OBJECTS = model.all.map((resource) => objectPath(resource, `${resource.prefix}x`).join('/'))
/** Paths of pages that write, with sample ids. */
const WRITES = [
  ...CONSOLE_RESOURCES.flatMap(({ writes = [] }) => writes).map(({ at }) =>
    at.map((segment) => (segment.startsWith(':') ? 'x_1' : segment)).join('/'),
  ),
  ...['refund', 'capture', 'void', 'dispute', 'resend/log_1'].map((action) => `transactions/txn_x/${action}`),
  'exceptions/exc_x/resolve',
  'exceptions/resolve',
  'settings/gateways/gw_x/first-payment',
  'disputes/dsp_x/accept',
  'disputes/dsp_x/contest',
]
const HOSTILE_QUERY = `status=${encodeURIComponent(HOSTILE)}&created_at=${encodeURIComponent(HOSTILE)}&beyond=${encodeURIComponent(HOSTILE)}`

const named = (path: string) => path

/** Throws unless a page is well-formed and contains no own style, script or handler. */
function expectHarmless(text: string): void {
  expectHtml(text)
  const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
  expect(scripts).to.have.length(1)
  expect(scripts[0]).to.match(/^<script type="module" src="\/console\/files\/console-[\w-]+\.js">$/)
  expect(text).to.not.match(/<style|\sstyle="|\son[a-z]+="|<img/i)
}

describe('every page of the console', () => {
  describe('with hostile texts in every attribute', () => {
    const echo = echoApp(hostileAnswers(model))
    const server = consoleServer({ ...echo, model }, { name: HOSTILE })
    const get = (path: string) => server.inject({ method: 'GET', url: `/console/test/${path}` })

    it('shows them as plain text', async () => {
      const queried = LISTS.map((path) => `${path}?${HOSTILE_QUERY}`)
      await eachCase([...BY_HAND, ...LISTS, ...queried, ...OBJECTS], named, async (path) => {
        const { statusCode, body } = await get(path)
        expect(statusCode, path).to.be.oneOf([200, 303])
        if (statusCode === 200) expectHarmless(body)
      })
    })

    it('shows them as plain text in every form, preview and answer of a write, including typed values', async () => {
      for (const environment of ['test', 'live'])
        await eachCase(WRITES, named, async (path) => {
          const url = `/console/${environment}/${path}`
          const form = (await server.inject({ method: 'GET', url })).body
          expectHarmless(form)
          const names = [...form.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name)
          for (const step of ['preview', 'change', 'do']) {
            const own = names.filter((name) => !name.startsWith('write.')).map((name) => [name, HOSTILE])
            const fields = [...own, ['write.step', step], ['write.key', 'req_1'], ['write.version', HOSTILE]]
            const payload = new URLSearchParams(Object.fromEntries(fields)).toString()
            const headers = { 'content-type': 'application/x-www-form-urlencoded' }
            const { statusCode, body } = await server.inject({ method: 'POST', url, payload, headers })
            expect(statusCode, step).to.be.below(500)
            if (statusCode !== 303) expectHarmless(body)
          }
        })
    })

    it('exports every list so that spreadsheets evaluate no cell of it', async () => {
      const formulas = [
        '=1+1',
        '+1+1',
        '-1+1',
        '@SUM(A1)',
        '\t=1+1',
        '\r=1+1',
        ' =1+1',
        "'=1+1",
        '＝1+1',
        '=cmd|"/c calc"!A1',
      ]
      for (const formula of formulas) {
        const exporting = consoleServer({
          ...echoApp(async (request) => {
            const { body } = await hostileAnswers(model)(request)
            const [hostile, harmful] = [HOSTILE, formula].map((text) => JSON.stringify(text).slice(1, -1))
            const said: JsonObject = JSON.parse(JSON.stringify(body).replaceAll(hostile ?? '', harmful ?? ''))
            return { status: 200, body: { ...said, next: null }, headers: {} }
          }),
          model,
        })
        await eachCase([...LISTS, ...REPORTS], named, async (path) => {
          const { body, statusCode } = await exporting.inject({
            method: 'GET',
            url: `/console/test/${path}?as=csv`,
          })
          expect(statusCode, body).to.equal(200)
          const [, ...rows]: string[][] = parse(body)
          expect(
            rows.flat().filter((cell) => /^\s*[=+\-@＝\t\r]/.test(cell) && !/^-?[\d.]+$/.test(cell)),
          ).to.deep.equal([])
        })
      }
    })

    it('exports them so that spreadsheets evaluate no cell', async () => {
      const formula = consoleServer({
        ...echoApp(async () => ({
          status: 200,
          body: { object: 'list', values: [{ id: 'txn_1', description: '=HYPERLINK("x")' }] },
          headers: {},
        })),
        model,
      })
      const { body, headers } = await formula.inject({
        method: 'GET',
        url: '/console/test/transactions?as=csv',
      })
      expect(headers['content-type']).to.equal('text/csv; charset=utf-8')
      expect(headers['content-disposition']).to.equal('attachment; filename="transactions-test.csv"')
      expect(body).to.match(/^'id,/).and.include(`"'=HYPERLINK(""x"")"`)
    })

    it('shows an error of the core inside the frame, with its status', async () => {
      const refusing = consoleServer({
        ...echoApp(async () => ({
          status: 403,
          body: { error_type: 'Forbidden', error_description: HOSTILE },
          headers: {},
        })),
        model,
      })
      const { statusCode, body } = await refusing.inject({ method: 'GET', url: '/console/test/transactions' })
      expect(statusCode).to.equal(403)
      expectHarmless(body)
      expect(body).to.include('Sign out')
    })
  })

  onDatabases((open) => {
    let core: TestCore
    let server: FastifyInstance
    const get = (path: string) => server.inject({ method: 'GET', url: `/console/test/${path}` })

    before(async () => {
      core = await openCore(open)
      server = consoleServer(core.app)
    })

    it('is complete without any data', async () => {
      await eachCase([...BY_HAND, ...LISTS], named, async (path) => {
        const { statusCode, body } = await get(path)
        expect(statusCode, `${path}: ${body}`).to.equal(200)
        expectHarmless(body)
      })
    })

    it('answers 404 for an unknown object', async () => {
      await eachCase(OBJECTS, named, async (path) => {
        const { statusCode, body } = await get(path)
        expect(statusCode, path).to.equal(404)
        expectHarmless(body)
      })
    })
  })
})
