#!/usr/bin/env node
// In a checkout the same as `npm test`.
import { runScript } from './checkout-script.mjs';

runScript('test');
