import { expect } from 'chai'
import { resources } from '../../../src/resources/resource-table.js'
import { objectOf } from '../../support/core.js'
import { inHome } from '../../support/home.js'
import { type Outcome, payctl } from './payctl.js'

/** Option that makes the command run in a separate process, as for users. */
const apart = { input: '' }

describe('payctl … get', () => {
  it('shows an object in every format', () =>
    inHome(async (home) => {
      const created = await payctl({ home }, ['customers', 'create', '--name', 'Ada', '--json'])
      const { id } = objectOf(JSON.parse(created.stdout))
      const shown = async (...flags: string[]): Promise<Outcome> =>
        await payctl({ home }, ['customers', 'get', String(id), ...flags], apart)
      expect(await shown('--json')).to.deep.equal(created)
      expect((await shown()).stdout).to.match(/name +Ada/)
      expect((await shown('-o', 'csv', '--columns', 'name')).stdout).to.equal('name\nAda\n')
      expect((await shown('--jq', '.name')).stdout).to.equal('Ada\n')
      expect((await shown('--wrong')).exitCode).to.equal(2)
    }))

  it('works for every resource that is not below /admin', () =>
    inHome(async (home) => {
      for (const { plural, prefix, admin } of Object.values<Named>(resources)) {
        if (admin) continue
        const words = [plural.replaceAll('_', '-'), 'get', `${prefix}${'0'.repeat(22)}`, '--json']
        const { exitCode, stderr } = await payctl({ home }, words)
        expect(exitCode, plural).to.equal(5)
        expect(objectOf(JSON.parse(stderr)).error_type, plural).to.equal('NotFound')
      }
    }))

  it('shows its help, and gets other single objects, too', () =>
    inHome(async (home) => {
      expect((await payctl({ home }, ['customers', 'get', '--help'], apart)).stdout).to.match(
        /show a customer/,
      )
      expect((await payctl({ home }, ['config', 'get', 'output'], apart)).stdout).to.contain('table')
      expect((await payctl({ home }, ['nothing', 'get'], apart)).exitCode).to.equal(2)
    }))
})

interface Named {
  readonly plural: string
  readonly prefix: string
  readonly admin?: boolean
}
