import tseslint from 'typescript-eslint'

// The layers of ARCHITECTURE.md. A forbidden import answers with what to do instead.
const forbid = (files, group, message, { types = false } = {}) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: [{ group, message, allowTypeImports: types }] },
    ],
  },
})

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'coverage/**',
      '**/fixtures/**',
      'examples/*/project/**',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked.map((c) => ({
    ...c,
    files: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'vitest*.config.ts'],
  })),
  {
    files: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'vitest*.config.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // A module of which only types are imported is not loaded; one import statement a module.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-duplicate-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.name='exec']",
          message: 'No shell: pass an argument array to src/adapters/process.',
        },
      ],
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  forbid(
    ['src/contract/**'],
    [
      'node:*',
      '@temporalio/*',
      '**/core/**',
      '**/workflows/**',
      '**/activities/**',
      '**/adapters/**',
      '**/worker/**',
      '**/dev-server/**',
      '**/client/**',
      '**/cli/**',
    ],
    'src/contract holds names and schemas, loadable in the workflow sandbox and by clients. It imports only zod and itself.',
  ),
  forbid(
    ['src/core/**'],
    [
      'node:*',
      '@temporalio/*',
      '../workflows/**',
      '../activities/**',
      '../adapters/**',
      '../worker/**',
      '../dev-server/**',
      '../client/**',
      '../cli/**',
    ],
    'src/core is pure and runs inside the workflow sandbox. Do this in src/adapters and pass the value in.',
  ),
  forbid(
    ['src/workflows/**'],
    [
      'node:*',
      '**/activities/**',
      '**/adapters/**',
      '**/worker/**',
      '**/dev-server/**',
      '**/client/**',
      '**/cli/**',
      '@temporalio/client',
      '@temporalio/worker',
      '@temporalio/activity',
    ],
    'Workflows run in a sandbox: import activities as types only, decisions from src/core, names from src/contract.',
    { types: true },
  ),
  forbid(
    ['src/adapters/**'],
    [
      '@temporalio/*',
      '**/activities/**',
      '**/workflows/**',
      '**/worker/**',
      '**/dev-server/**',
      '**/client/**',
      '**/cli/**',
    ],
    'src/adapters does I/O and knows no Temporal. Wrap it in src/activities.',
  ),
  forbid(
    ['src/activities/**'],
    ['**/workflows/**', '**/worker/**', '**/dev-server/**', '**/cli/**', '**/client/**'],
    'Activities are thin around src/adapters and are wired up by src/worker.',
  ),
  forbid(
    ['src/worker/**'],
    ['**/dev-server/**', '**/cli/**', '**/client/**'],
    'Workers are processes of their own: src/dev-server spawns them, they import neither it nor the CLI.',
  ),
  forbid(
    ['src/dev-server/**'],
    ['**/activities/**', '**/workflows/**', '**/worker/**', '**/cli/**', '**/client/**'],
    'src/dev-server starts workers as processes and never imports them.',
  ),
  // A few small files more: where the local server is, whether it lives, which key a project has, and
  // what a private server needs.
  forbid(
    ['src/client/**'],
    [
      '**/activities/**',
      '**/workflows/**',
      '**/worker/**',
      '**/dev-server/**',
      '**/cli/**',
      '**/adapters/**',
      '!**/adapters/state-dir.js',
      '!**/adapters/process',
      '**/adapters/process/*',
      '!**/adapters/process/identity.js',
      '!**/adapters/signing',
      '!**/adapters/signing/*',
    ],
    'src/client is what scripts import: contract, the Temporal client, and of src/adapters only paths, identities and signatures.',
    { types: true },
  ),
  forbid(
    ['src/cli/**'],
    ['**/activities/**', '**/workflows/**', '**/worker/**', '@temporalio/*'],
    'The CLI talks through src/client, loaded lazily: the Temporal client costs 180 ms at start.',
    { types: true },
  ),
  {
    files: ['src/cli/**'],
    ignores: ['src/cli/main.ts', 'src/cli/follow/prompt.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        ...['stdout', 'stderr'].map((property) => ({
          object: 'process',
          property,
          message: 'Print through the output of the command: it removes foreign escape sequences.',
        })),
      ],
    },
  },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
)
