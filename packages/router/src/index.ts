export { createMemoryRouter } from './express.ts'
export * from './fetch.ts'
