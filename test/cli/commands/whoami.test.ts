import { expect } from 'chai'
import { payctl } from './payctl.js'

describe('payctl whoami', () => {
  const home = '/nowhere/at all'

  it('shows the origin of each setting, and opens no database', async () => {
    const { exitCode, stdout, stderr } = await payctl({ home }, ['whoami', '--json'])
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).to.deep.equal({
      environment: { value: 'test', from: 'default' },
      database: { value: 'SQLite in the home folder', from: 'default' },
      home: { value: home, from: 'PAYCTL_HOME' },
    })
  })

  it('hides passwords, and prefers flags to variables', async () => {
    const variables = { PAYCTL_ENV: 'test' }
    const place = { home, databaseUrl: 'postgres://ada:secret@db.example/payctl' }
    const { stdout } = await payctl(place, ['whoami', '--json', '--env', 'live'], { variables })
    expect(JSON.parse(stdout)).to.deep.include({
      environment: { value: 'live', from: '--env' },
      database: { value: 'postgres://ada:***@db.example/payctl', from: 'PAYCTL_DATABASE_URL' },
    })
  })
})
