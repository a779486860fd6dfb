#!/usr/bin/env node
// In a checkout the same as `npm run dev`: serves and starts again when a source changes.
import { runScript } from './checkout-script.mjs';

runScript('dev');
