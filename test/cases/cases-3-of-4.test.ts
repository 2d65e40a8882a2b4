import { tryCases } from './try-cases.ts';

tryCases(2);
