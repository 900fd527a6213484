/**
 * Shows the document of the service that serves this page. The page takes apart everything that an operation leads to,
 * which is all of the interface, so what is nested in a body or in a selection is shown by its name only.
 */
const NESTED = /"#\/components\/schemas\/(\w+(?:Input|Selection))"/

/** The same schema, whose attributes that lead to other objects only name them. */
function shallow(schema) {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const nested = NESTED.exec(JSON.stringify(property))?.[1]
    return [name, nested ? { description: `${property.description ?? ''} (${nested})`.trim() } : property]
  })
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema
}

const spec = await (await fetch('../openapi.json')).json()
for (const [name, schema] of Object.entries(spec.components.schemas))
  spec.components.schemas[name] = shallow(schema)

spec.info.description += '\n\nThe whole document: [openapi.json](../openapi.json).'

// A key that is typed in is kept in this page only.
window.SwaggerUIBundle({
  spec,
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
})
