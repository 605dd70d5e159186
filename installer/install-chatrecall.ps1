<#
.SYNOPSIS
Installs ChatRecall: finds a Python 3.11 or newer and starts the installer with it.

.DESCRIPTION
Runs under Windows PowerShell 5.1 and PowerShell 7, without administrator rights:

    powershell -ExecutionPolicy Bypass -File installer\install-chatrecall.ps1

Further words are handed to the installer: --dry-run, --only, --remove, --purge, --try.
The Pythons of the Microsoft Store are passed over: Windows hides their files from other programs.
#>

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

$Oldest = [version] '3.11'
$Question = "import sys, struct; print('%d.%d.%d' % sys.version_info[:3], struct.calcsize('P') * 8, sys.base_prefix, sep='|')"

# Where Pythons say that they are (PEP 514): those of python.org, Anaconda and others.
function Get-RegisteredPython {
    $roots = 'HKCU:\Software\Python', 'HKLM:\Software\Python', 'HKLM:\Software\WOW6432Node\Python'
    foreach ($root in $roots) {
        foreach ($key in Get-ChildItem -Path "$root\*\*\InstallPath" -ErrorAction SilentlyContinue) {
            $program = $key.GetValue('ExecutablePath')
            $folder = $key.GetValue('')
            if ($program) {
                $program
            } elseif ($folder) {
                Join-Path $folder 'python.exe'
            }
        }
    }
}

# What the launcher knows: lines such as " -V:3.13 *        C:\Python313\python.exe".
function Get-LauncherPython {
    # Windows PowerShell makes errors of what a program writes to its standard error.
    $ErrorActionPreference = 'SilentlyContinue'
    $launcher = Get-Command -Name py -CommandType Application -ErrorAction SilentlyContinue |
        Select-Object -First 1
    if (-not $launcher) {
        return
    }
    foreach ($line in & $launcher.Path '-0p' 2>$null) {
        if ($line -match '([A-Za-z]:\\.*\.exe)\s*$') {
            $Matches[1]
        }
    }
}

function Get-PathPython {
    Get-Command -Name @('python', 'python3') -CommandType Application -All -ErrorAction SilentlyContinue |
        ForEach-Object { $_.Path }
}

# Starts a candidate and asks it: only one that answers is a Python. The Store's alias opens the Store.
function Get-PythonFacts([string] $Program) {
    $ErrorActionPreference = 'SilentlyContinue'
    if ($Program -match '\\WindowsApps\\' -or -not (Test-Path -LiteralPath $Program)) {
        return
    }
    $answer = ''
    try {
        # UTF-8, since a folder's name may be none that the code page can hold.
        $answer = & $Program -I -X utf8 -c $Question 2>$null | Select-Object -First 1
    } catch {
        return  # no program at all
    }
    if ("$answer" -notmatch '^\d+\.\d+\.\d+\|') {
        return
    }
    $version, $bits, $prefix = "$answer".Split('|')
    if ([version] $version -lt $Oldest -or $prefix -match '\\WindowsApps(\\|$)') {
        return
    }
    [pscustomobject] @{ Program = $Program; Version = [version] $version; Bits = [int] $bits }
}

$candidates = @(Get-LauncherPython) + @(Get-RegisteredPython) + @(Get-PathPython) |
    Where-Object { $_ } |
    Select-Object -Unique
$python = $candidates |
    ForEach-Object { Get-PythonFacts $_ } |
    Sort-Object -Property @('Bits', 'Version') -Descending |
    Select-Object -First 1

if (-not $python) {
    Write-Host 'ChatRecall needs Python 3.11 or newer, and none was found.'
    Write-Host 'Get one from https://www.python.org/downloads/ (not from the Microsoft Store),'
    Write-Host 'or by: winget install Python.Python.3.13'
    Write-Host 'Then run this again.'
    exit 1
}

Write-Host "Using Python $($python.Version): $($python.Program)"
# With 'Stop', and the output sent to a file, the installer's first word to standard error would end
# it halfway: before 7.2, PowerShell makes an error of that.
$ErrorActionPreference = 'Continue'
try {
    & $python.Program -I $PSScriptRoot @args
} catch {
    Write-Host "It could not be started: $_"
    exit 1
}
exit $LASTEXITCODE
