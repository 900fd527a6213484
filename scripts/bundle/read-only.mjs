/** What these files load when they need it changes something, or finds commands: showing an object never gets there. */
const LOADERS =
  /[/]src[/](app|engine[/]core[/]core|domain[/]background-work|cli[/]terminal[/](live|start))[.]ts$/

/** What these files of oclif need for help, which the whole program shows. */
const HELP = {
  by: /@oclif[/]core[/]lib[/](flags|errors[/]handle|config[/]config|help[/]util)[.]js$/,
  path: /^ejs$|[/]help([/]index)?$/,
}

/** Leaves that out. Should it be asked for all the same, the command fails as it does for any unexpected error. */
export const readOnly = {
  name: 'read-only',
  setup(builder) {
    builder.onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      const isLeftOut =
        (kind === 'dynamic-import' && LOADERS.test(importer)) ||
        (HELP.path.test(path) && HELP.by.test(importer))
      return isLeftOut ? { path, namespace: 'left-out' } : undefined
    })
    builder.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('${path} is not in the bundle that shows an object')`,
    }))
  },
}
