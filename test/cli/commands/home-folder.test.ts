import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { platformHome } from '../../../src/cli/terminal/input/platform-home.js'
import { inHome } from '../../support/home.js'
import { payctl } from './payctl.js'

describe('the home of payctl', () => {
  it('is below the home folder in the user database if HOME is empty or unset', () => {
    for (const variables of [{}, { HOME: '' }, { HOME: undefined }])
      expect(platformHome('linux', variables)).to.equal(join(userInfo().homedir, '.local/share/payctl'))
  })

  it('is refused if a variable names a relative folder', async () => {
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { PAYCTL_HOME: 'data' },
      { PAYCTL_HOME: '', HOME: 'ada' },
      { PAYCTL_HOME: '', XDG_DATA_HOME: 'x' },
    ]
    for (const variables of wrong) {
      const { exitCode, stderr } = await payctl({ home: '/' }, ['customers', 'list'], {
        variables,
        through: [],
      })
      expect(exitCode, stderr).to.equal(2)
      expect(stderr).to.match(/Expected a path from the root in (PAYCTL_HOME|HOME|XDG_DATA_HOME)/)
    }
  })

  it('is created by the first write, not by a read or a dry run', () =>
    inHome(async (parent) => {
      const home = join(parent, 'new')
      const listed = await payctl({ home }, ['customers', 'list', '--json'])
      expect(JSON.parse(listed.stdout)).to.deep.equal({ object: 'list', values: [] })
      expect((await payctl({ home }, ['customers', 'get', 'acct_1'])).exitCode).to.equal(5)
      expect((await payctl({ home }, ['status'])).exitCode).to.equal(0)
      expect(
        (await payctl({ home }, ['customers', 'create', '--name', 'Ada', '--dry-run'])).exitCode,
      ).to.equal(0)
      expect(existsSync(home)).to.equal(false)
      await payctl({ home }, ['customers', 'create', '--name', 'Ada'])
      expect((await payctl({ home }, ['customers', 'list', '--count'])).stdout).to.include('1')
      expect(readdirSync(home)).to.include('test.db')
    }))

  it('stays unchanged when a home with only settings is read', () =>
    inHome(async (home) => {
      await payctl({ home }, ['config', 'set', 'utc', 'yes'])
      mkdirSync(join(home, 'drafts'))
      await payctl({ home }, ['customers', 'list'])
      expect(readdirSync(home)).to.have.members(['settings', 'drafts'])
    }))
})
