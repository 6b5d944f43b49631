'use strict';

// Everything from the server goes into the page as text, never as markup.
function cell(text, className) {
    const td = document.createElement('td');
    td.textContent = text;
    if (className) {
        td.className = className;
    }
    return td;
}

function time(instant) {
    return instant ? new Date(instant).toLocaleTimeString() : '–';
}

function row(file) {
    const tr = document.createElement('tr');
    const load = cell(file.load || '–', file.load === 'failed' ? 'many' : '');
    load.title = file.error || (file.loadedBy ? 'by ' + file.loadedBy : '');
    const checksum = cell(file.checksum ? file.checksum.substring(0, 12) : '–');
    checksum.title = file.checksum || '';
    tr.append(
        cell(file.name),
        cell(time(file.expectedAt)),
        cell(file.state + (file.late ? ', late' : '') + (file.broken ? ', broken' : ''), file.late || file.broken ? 'many' : ''),
        cell(time(file.arrivedAt)),
        cell(file.versions),
        load,
        cell(file.rows),
        cell(file.skipped, file.skipped > 0 ? 'many' : ''),
        checksum,
        cell(file.watchedBy ? file.watchedBy + ' at ' + time(file.watchedAt) : '–'));
    return tr;
}

function cycleText(cycles) {
    if (cycles.length === 0) {
        return '';
    }
    const newest = cycles.filter(cycle => cycle.cycle === cycles[cycles.length > 2 ? 2 : 0].cycle);
    return 'Tasks of the cycle ' + time(newest[0].cycle) + ': '
        + newest.map(cycle => cycle.job + ' ' + cycle.tasks + ' (from ' + cycle.nodes + ' node' + (cycle.nodes === 1 ? '' : 's') + ')').join(', ') + '.';
}

async function read(address) {
    const response = await fetch(address);
    if (!response.ok) {
        throw new Error(address + ' answers ' + response.status);
    }
    return response.json();
}

let timer;

async function refresh() {
    clearTimeout(timer);
    const problem = document.getElementById('problem');
    try {
        const sum = await read('../api/files/summary');
        document.getElementById('summary').textContent =
            sum.arrived + sum.sentAgain + ' have arrived (' + sum.sentAgain + ' sent again), ' + sum.notArrived
            + ' have not, ' + sum.late + ' are or were late, ' + sum.broken + ' are broken. '
            + sum.versions + ' versions, ' + sum.rows + ' rows loaded, ' + sum.skipped + ' lines skipped.';
        document.getElementById('cycle').textContent = cycleText(await read('../api/cycles'));
        const files = await read('../api/files?limit=100&only=' + encodeURIComponent(document.getElementById('only').value));
        document.getElementById('files').replaceChildren(...files.map(row));
        problem.hidden = true;
    } catch (failure) {
        problem.textContent = 'This node does not answer: ' + failure.message;
        problem.hidden = false;
    }
    timer = setTimeout(refresh, 3000);
}

document.getElementById('only').addEventListener('change', refresh);
refresh();
