/** The parts of a CycloneDX bill of materials that are read. */
interface Bill {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } }
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
 * Bill of materials of the shipped files, reduced from npm's bill of the whole clone. It keeps the packages that an
 * installation installs, and the bundled packages, which the text `notices` lists.
 */
export function shippedComponents(whole: Bill, notices: string): Bill {
  const bundled = new Set(
    [...notices.matchAll(/^(\S+) (\d\S*) \(.*\)\n=+$/gm)].map(([, name, version]) => `${name}@${version}`),
  )
  const components = whole.components.filter(
    ({ name, version, properties = [] }) =>
      bundled.has(`${name}@${version}`) || !properties.some((property) => property.name === DEVELOPMENT),
  )
  const known = new Set([whole.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])])
  const dependencies = whole.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }))
  return { ...whole, components, dependencies }
}
