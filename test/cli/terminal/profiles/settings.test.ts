import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { platformHome } from '../../../../src/cli/terminal/input/platform-home.js'
import { StandardInput } from '../../../../src/cli/terminal/input/stdin.js'
import type { Profiles } from '../../../../src/cli/terminal/profiles/profile.js'
import { type Given, settingsOf, withoutPassword } from '../../../../src/cli/terminal/profiles/settings.js'
import { rejection } from '../../../support/rejection.js'

const TEST_KEY = `test_secret_key_${'a'.repeat(43)}`
const LIVE_KEY = `secret_key_${'b'.repeat(43)}`

const kept: Profiles = {
  current: 'desk',
  profiles: {
    desk: { home: '/desk', environment: 'live', max_amount: 50_000 },
    shop: { server: 'https://pay.example.com', key: TEST_KEY },
    keyless: { server: 'https://pay.example.com' },
    books: { database_url: 'postgres://db.example/books' },
  },
}

function settings(given: Partial<Given>, variables: Record<string, string> = {}, profiles: Profiles = kept) {
  const stdin = new StandardInput(() => new PassThrough().end(`${LIVE_KEY}\n`))
  return settingsOf({ stdin, ...given }, { PAYCTL_HOME: '/h', ...variables }, profiles)
}

describe('settings', () => {
  it('are stored in the folder of the platform', () => {
    expect(platformHome('linux', {}, () => '/home/ada')).to.equal('/home/ada/.local/share/payctl')
    expect(platformHome('linux', { XDG_DATA_HOME: '/data' }, () => '/home/ada')).to.equal('/data/payctl')
    expect(platformHome('darwin', {}, () => '/Users/ada')).to.equal(
      '/Users/ada/Library/Application Support/payctl',
    )
    expect(platformHome('win32', { LOCALAPPDATA: '/local' }, () => '/ada')).to.equal('/local/payctl')
  })

  it('come from flags, then variables, then defaults, and show their origin', async () => {
    const none = { profiles: {} }
    const environment = async (given: Partial<Given>, variables: Record<string, string>) =>
      (await settings(given, variables, none)).environment
    expect(await environment({ environment: 'test' }, { PAYCTL_ENV: 'live' })).to.deep.equal({
      value: 'test',
      from: '--env',
    })
    expect(await environment({}, { PAYCTL_ENV: 'live' })).to.deep.equal({ value: 'live', from: 'PAYCTL_ENV' })
    expect(await environment({}, {})).to.deep.equal({ value: 'test', from: 'default' })
    expect((await settings({}, {}, none)).home).to.deep.equal({ value: '/h', from: 'PAYCTL_HOME' })
  })

  it('come from the selected profile if no flag or variable is given', async () => {
    expect(await settings({})).to.deep.equal({
      profile: { value: 'desk', from: 'profiles use' },
      environment: { value: 'live', from: 'profile desk' },
      home: { value: '/desk', from: 'profile desk' },
      limit: { max_amount: 50_000 },
    })
    expect((await settings({}, { PAYCTL_ENV: 'test' })).environment.from).to.equal('PAYCTL_ENV')
    const elsewhere = await settings({}, { PAYCTL_DATABASE_URL: 'postgres://x/y' })
    expect(elsewhere.databaseUrl).to.deep.equal({ value: 'postgres://x/y', from: 'PAYCTL_DATABASE_URL' })
    // The variable replaces the profile's place, so the key file is in the home of the variable; the limit of
    // the profile still applies.
    expect(elsewhere).to.deep.include({
      home: { value: '/h', from: 'PAYCTL_HOME' },
      limit: { max_amount: 50_000 },
    })
  })

  it('come from a profile named by a flag before variables', async () => {
    const variables = { PAYCTL_SERVER: 'https://other.example', PAYCTL_KEY: LIVE_KEY, PAYCTL_ENV: 'live' }
    const { server, profile, databaseUrl } = await settings({ profile: 'books' }, variables)
    expect({ server, profile, databaseUrl }).to.deep.equal({
      server: undefined,
      profile: { value: 'books', from: '--profile' },
      databaseUrl: { value: 'postgres://db.example/books', from: 'profile books' },
    })
    expect((await settings({}, { PAYCTL_PROFILE: 'shop' })).profile?.from).to.equal('PAYCTL_PROFILE')
    expect((await settings({ profile: 'default' })).profile).to.equal(undefined)
  })

  it('send a key only to its own server', async () => {
    const shop = await settings({ profile: 'shop' })
    expect(shop.key).to.deep.equal({ value: TEST_KEY, from: 'profile shop' })
    expect(shop.environment).to.deep.equal({ value: 'test', from: 'key (profile shop)' })
    const other = await settings({ profile: 'shop', server: 'https://evil.example' })
    expect(other).to.have.deep.property('server', { value: 'https://evil.example', from: '--server' })
    expect(other.key).to.equal(undefined)
  })

  it('read a key from a variable or from standard input', async () => {
    const variables = { PAYCTL_KEY: TEST_KEY }
    expect((await settings({ profile: 'keyless' }, variables)).key?.from).to.equal('PAYCTL_KEY')
    const { key, environment } = await settings({ profile: 'shop', keyFile: '-' }, variables)
    expect(key).to.deep.equal({ value: LIVE_KEY, from: '--key-file' })
    expect(environment.value).to.equal('live')
  })

  it('hide the password of a database completely', () => {
    for (const [url, shown] of [
      ['postgres://ada:hunter2@db.example/books', 'postgres://ada:***@db.example/books'],
      ['postgres://ada:hun@ter2@db.example/books', 'postgres://ada:***@db.example/books'],
      ['postgres://:hunter2@db.example', 'postgres://:***@db.example'],
      ['postgres://ada:hun/ter2@db.example/books', 'postgres://ada:***@db.example/books'],
      [
        'postgres://db.example/books?user=ada&password=hunter2&ssl=1',
        'postgres://db.example/books?user=ada&password=***&ssl=1',
      ],
      ['host=db.example user=ada password=hunter2', 'host=db.example user=ada password=***'],
      ['postgres://ada@db.example:5432/books?user=a@b', 'postgres://ada@db.example:5432/books?user=a@b'],
      ['postgres://db.example:5432/books?user=a@b', 'postgres://db.example:5432/books?user=a@b'],
    ] as const)
      expect(withoutPassword(url)).to.equal(shown)
  })

  const refusals: readonly (readonly [string, Partial<Given>, Record<string, string>, RegExp])[] = [
    [
      'a profile that there is not',
      { profile: 'nowhere' },
      {},
      /no profile nowhere; see payctl profiles list/,
    ],
    ['one that is a name of objects', { profile: 'toString' }, {}, /no profile toString/],
    [
      'a key of the other environment',
      { profile: 'shop', environment: 'live' },
      {},
      /belongs to the test environment, but --env says live/,
    ],
    [
      'what is no key',
      { profile: 'keyless' },
      { PAYCTL_KEY: 'hunter2' },
      /^(?!.*hunter2).*secret key from PAYCTL_KEY/,
    ],
    [
      'a key file that there is not',
      { profile: 'keyless', keyFile: '/no/where' },
      {},
      /cannot be read \(ENOENT\)/,
    ],
  ]
  for (const [what, given, variables, message] of refusals)
    it(`refuse ${what}`, async () => {
      expect((await rejection(settings(given, variables))).message).to.match(message)
    })
})
