#include "platform.h"

#include <cerrno>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <random>
#include <share.h>
#include <sys/stat.h>
#else
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace gainful::platform {

#if defined(_WIN32)

namespace {

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

// A file that is read and written at places of its own has none that moves, but for the pointer that Windows moves along.
OVERLAPPED placed(uint64_t at) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(at);
    place.OffsetHigh = static_cast<DWORD>(at >> 32);
    return place;
}

DWORD portion(size_t size) { return static_cast<DWORD>(size < (1u << 30) ? size : (1u << 30)); }

int64_t failed(DWORD error) {
    errno = error == ERROR_DISK_FULL ? ENOSPC : error == ERROR_ACCESS_DENIED ? EACCES : EIO;
    return -1;
}

}  // namespace

int duplicate(int descriptor) {
    const int copy = _dup(descriptor);
    if (copy >= 0) SetHandleInformation(handle_of(copy), HANDLE_FLAG_INHERIT, 0);
    return copy;
}

uint64_t file_size(int descriptor) {
    LARGE_INTEGER size;
    return GetFileSizeEx(handle_of(descriptor), &size) ? static_cast<uint64_t>(size.QuadPart) : 0;
}

void reads_in_order(int) {}

void close_file(int descriptor) { _close(descriptor); }

int temporary_file(const std::string& folder) {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        const std::string name = folder + "\\gainful-" + std::to_string(random()) + std::to_string(random());
        int descriptor = -1;
        const int mode = _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY;
        if (_sopen_s(&descriptor, name.c_str(), mode, _SH_DENYNO, _S_IREAD | _S_IWRITE) == 0) return descriptor;
        if (errno != EEXIST) return -1;
    }
    return -1;
}

int64_t read_at(int descriptor, char* data, size_t size, uint64_t at) {
    OVERLAPPED place = placed(at);
    DWORD done = 0;
    if (ReadFile(handle_of(descriptor), data, portion(size), &done, &place)) return done;
    const DWORD error = GetLastError();
    return error == ERROR_HANDLE_EOF ? 0 : failed(error);
}

int64_t write_at(int descriptor, const char* data, size_t size, uint64_t at) {
    OVERLAPPED place = placed(at);
    DWORD done = 0;
    return WriteFile(handle_of(descriptor), data, portion(size), &done, &place) ? done : failed(GetLastError());
}

int process_number() { return _getpid(); }

void end_with(int descriptor, const char* sentence, size_t size, int code) {
    _write(descriptor, sentence, static_cast<unsigned>(size));
    _exit(code);
}

#else

int duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

uint64_t file_size(int descriptor) {
    struct stat facts;
    return fstat(descriptor, &facts) == 0 ? static_cast<uint64_t>(facts.st_size) : 0;
}

void reads_in_order([[maybe_unused]] int descriptor) {
#if defined(POSIX_FADV_SEQUENTIAL)
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

void close_file(int descriptor) { close(descriptor); }

int temporary_file(const std::string& folder) {
#if defined(O_TMPFILE)
    const int nameless = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0) return nameless;
#endif
    std::string name = folder + "/gainful-XXXXXX";  // where the file system knows no files without a name
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) return descriptor;
    unlink(name.c_str());
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int64_t read_at(int descriptor, char* data, size_t size, uint64_t at) {
    for (;;) {
        const ssize_t done = pread(descriptor, data, size, static_cast<off_t>(at));
        if (done >= 0 || errno != EINTR) return done;
    }
}

int64_t write_at(int descriptor, const char* data, size_t size, uint64_t at) {
    for (;;) {
        const ssize_t done = pwrite(descriptor, data, size, static_cast<off_t>(at));
        if (done >= 0 || errno != EINTR) return done;
    }
}

int process_number() { return getpid(); }

void end_with(int descriptor, const char* sentence, size_t size, int code) {
    [[maybe_unused]] const auto written = write(descriptor, sentence, size);
    _exit(code);
}

#endif

}  // namespace gainful::platform
