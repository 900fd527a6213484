import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { cutRelease, nextVersion } from '../../scripts/release/changelog.js'
import { shippedComponents } from '../../scripts/release/shipped-components.js'

describe('a release', () => {
  it('moves unreleased changes to a new section, and keeps older ones', () => {
    const changelog = '# Changelog\n\n## [Unreleased]\n\n- New\n\n## [1.0.0] - 2026-01-01\n\n- First\n'
    const { text, notes } = cutRelease(changelog, '1.1.0', '2026-02-01')
    expect(notes).to.equal('- New')
    expect(text).to.equal(
      '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-02-01\n\n- New\n\n## [1.0.0] - 2026-01-01\n\n- First\n',
    )
  })

  it('is refused if the section of unreleased changes is empty or missing', () => {
    expect(() => cutRelease('## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n', '1.1.0', '2026-02-01')).to.throw(
      'nothing that is unreleased',
    )
    expect(() => cutRelease('# Changelog\n', '1.1.0', '2026-02-01')).to.throw('no section')
  })

  it('needs a version number that follows the previous one', () => {
    const words = ['major', 'minor', 'patch', '1.10.0']
    expect(words.map((word) => nextVersion('1.9.3', word))).to.deep.equal([
      '2.0.0',
      '1.10.0',
      '1.9.4',
      '1.10.0',
    ])
    for (const word of ['1.9.3', '1.2.0', 'next', '1.10'])
      expect(() => nextVersion('1.9.3', word), word).to.throw(/does not follow|Expected major/)
  })

  it('lists its packages: installed dependencies and parts of the bundle', () => {
    const component = (name: string, isDevelopment: boolean, version = '1.0.0') => ({
      'bom-ref': name,
      name,
      version,
      ...(isDevelopment && { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] }),
    })
    const notices = readFileSync('dist/third-party-notices.txt', 'utf8')
    const bundled = [...notices.matchAll(/^(\S+) (\d\S*) \(.*\)$/gm)].map(([, name = '', version]) =>
      component(name, true, version),
    )
    const names = bundled.map(({ name }) => name)
    expect(names).to.include.members(['kysely', 'zod', 'swagger-ui-dist'])
    const whole = {
      metadata: { component: { 'bom-ref': 'payctl', name: 'a-clone' } },
      components: [component('pg', false), ...bundled, component('mocha', true)],
      dependencies: [
        { ref: 'payctl', dependsOn: ['pg', 'kysely', 'mocha'] },
        { ref: 'mocha', dependsOn: ['kysely'] },
      ],
    }
    const shipped = shippedComponents(whole, notices)
    expect(shipped.metadata.component.name).to.equal('payctl')
    expect(shipped.components.map(({ name }) => name)).to.deep.equal(['pg', ...names])
    expect(shipped.dependencies).to.deep.equal([{ ref: 'payctl', dependsOn: ['pg', 'kysely'] }])
    const lacking = { ...whole, components: whole.components.filter(({ name }) => name !== 'kysely') }
    expect(() => shippedComponents(lacking, notices)).to.throw('lacks bundled packages: kysely@')
    expect(() => shippedComponents(whole, 'Parts\n')).to.throw('all of them')
  })
})
