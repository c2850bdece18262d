const { readdirSync } = require('node:fs')

// The contract has a folder for each area, and its kit.
const folders = readdirSync(`${__dirname}/contract/src`, { withFileTypes: true })
const areas = folders.filter((each) => each.isDirectory() && each.name !== 'kit').map(({ name }) => name)
const area = `(${areas.join('|')})`

/** Who may import whom. Each rule is tried against a deliberate breach by `npm run test:boundaries`. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-knows-nobody',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|web)/' },
    },
    {
      name: 'meet-in-contract',
      severity: 'error',
      from: { path: '^(server|web)/' },
      to: { path: '^(server|web)/', pathNot: '^$1/' },
    },
    {
      name: 'areas-meet-at-public',
      severity: 'error',
      from: { path: `^(server|web)/src/${area}/` },
      // Factories build on factories: a booking needs a stretcher. Nothing but tests and the seed imports them, or the
      // helpers of tests.
      to: { path: `^$1/src/${area}/`, pathNot: ['^$1/src/$2/', '/public[.]tsx?$', '[.](factory|testing)[.]ts$'] },
    },
    {
      name: 'base-knows-no-area',
      severity: 'error',
      from: { path: '^(server|web)/src/(platform|ui)/', pathNot: '[.]test[.]tsx?$' },
      to: { path: `^(server|web)/src/(${area}/|app[/.])` },
    },
    {
      name: 'areas-know-no-app',
      severity: 'error',
      from: { path: `^(server|web)/src/${area}/`, pathNot: '[.]test[.]tsx?$' },
      to: { path: '^(server|web)/src/app[/.]' },
    },
    {
      name: 'factories-stay-in-tests',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '[.](factory|test|testing)[.]ts$|/platform/testing' },
      to: { path: '[.](factory|testing)[.]ts$|/platform/testing' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '[.]rules[.]ts$' },
      to: { path: '[.](routes|queries|present|jobs)[.]ts$|/platform/(?!clock)|node_modules/(kysely|pg|fastify)' },
    },
    {
      name: 'only-queries-touch-sql',
      severity: 'error',
      from: { path: `^server/src/${area}/`, pathNot: '[.](queries|present|factory|test|testing)[.]ts$' },
      to: { path: 'node_modules/(kysely|pg)/' },
    },
    {
      // An example is what somebody outside can write. Its test starts the server.
      name: 'examples-know-only-the-api',
      severity: 'error',
      from: { path: '^examples/', pathNot: '[.]test(ing)?[.]ts$' },
      to: { path: '^(bench|contract|crawl|fuzz|scripts|seed|server|web)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'web/dist|test-results' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
    cache: false,
  },
}
