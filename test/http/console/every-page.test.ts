import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { listPath, objectPath } from '../../../src/http/views/console/object-path.js'
import { Model } from '../../../src/model/model.js'
import { adminOperations } from '../../../src/resources/admin/admin-operations.js'
import { reports } from '../../../src/resources/reports/report-table.js'
import { resources } from '../../../src/resources/resource-table.js'
import { registryOf } from '../../../src/schema/registry.js'
import { consoleServer } from '../../support/console.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { HOSTILE, hostileAnswers } from '../../support/hostile-answers.js'
import { expectHtml } from '../../support/strict-html.js'
import { echoApp } from '../echo-app.js'

const model = new Model(registryOf(resources, Object.values(adminOperations)))

/** Pages that are made by hand, besides those of the declarations. */
const BY_HAND = [
  '',
  'search',
  'search?q=4242',
  `search?q=${encodeURIComponent(HOSTILE)}`,
  'activity',
  'objects',
  ...Object.keys(reports).map((name) => `reports/${name}`),
]
const LISTS = ['deposits', 'disputes', ...model.all.map((resource) => listPath(resource).join('/'))]
const OBJECTS = model.all.map((resource) => objectPath(resource, `${resource.prefix}x`).join('/'))
const HOSTILE_QUERY = `status=${encodeURIComponent(HOSTILE)}&created_at=${encodeURIComponent(HOSTILE)}&beyond=${encodeURIComponent(HOSTILE)}`

const named = (path: string) => path

/** Throws unless a page is well formed, and has no style, script or handler of its own. */
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

    it('shows them as texts', async () => {
      const queried = LISTS.map((path) => `${path}?${HOSTILE_QUERY}`)
      await eachCase([...BY_HAND, ...LISTS, ...queried, ...OBJECTS], named, async (path) => {
        const { statusCode, body } = await get(path)
        expect(statusCode, path).to.be.oneOf([200, 303])
        if (statusCode === 200) expectHarmless(body)
      })
    })

    it('exports them so that spreadsheets evaluate nothing', async () => {
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

  onEachDatabase((open) => {
    let core: TestCore
    let server: FastifyInstance
    const get = (path: string) => server.inject({ method: 'GET', url: `/console/test/${path}` })

    before(async () => {
      core = await openCore(open)
      server = consoleServer(core.app)
    })

    it('is whole where there is nothing yet', async () => {
      await eachCase([...BY_HAND, ...LISTS], named, async (path) => {
        const { statusCode, body } = await get(path)
        expect(statusCode, `${path}: ${body}`).to.equal(200)
        expectHarmless(body)
      })
    })

    it('answers 404 for an object that is not there', async () => {
      await eachCase(OBJECTS, named, async (path) => {
        const { statusCode, body } = await get(path)
        expect(statusCode, path).to.equal(404)
        expectHarmless(body)
      })
    })
  })
})
