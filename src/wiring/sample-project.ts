/** For sample projects and drills: a new repository, a commit in it as a user makes one, andon as a process of its own. */
export {
  checkOutOlder,
  commitFiles,
  createRepository as makeRepository,
} from '../adapters/repository/create-repository.ts';
export { startAndon } from '../adapters/processes/start-andon.ts';
