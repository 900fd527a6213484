/** The parts of a CycloneDX bill of materials that are read. */
interface Bill {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * Bill of materials of the shipped files, reduced from npm's bill of the whole clone. It has the packages that npm
 * installs with payctl, and the bundled packages, which the text `notices` lists. The name of the whole is replaced,
 * because npm takes that of the clone's folder. Throws if npm's bill lacks a bundled package.
 */
export function shippedComponents(whole: Bill, notices: string): Bill {
  const bundled = new Set(
    [...notices.matchAll(/^(\S+) (\d\S*) \(.*\)\n=+$/gm)].map(([, name, version]) => `${name}@${version}`),
  )
  const listed = new Set(whole.components.map(({ name, version }) => `${name}@${version}`))
  const missing = [...bundled].filter((each) => !listed.has(each))
  if (bundled.size === 0 || missing.length > 0)
    throw new Error(`The bill of materials lacks bundled packages: ${missing.join(', ') || 'all of them'}`)
  const components = whole.components.filter(
    ({ name, version, properties = [] }) =>
      bundled.has(`${name}@${version}`) || !properties.some((property) => property.name === DEVELOPMENT),
  )
  const component = { ...whole.metadata.component, name: 'payctl' }
  const known = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])])
  const dependencies = whole.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }))
  return { ...whole, metadata: { ...whole.metadata, component }, components, dependencies }
}
